//! Workers for many tasks of one kind, and their results in the order of the tasks. Layer 6.

use std::collections::BTreeMap;
use std::thread;

use crossbeam_channel::{Receiver, RecvError, Sender, never, select_biased, unbounded};

use super::stop::Stop;

/// How many tasks for each worker are taken before the first of them is done: results wait for those before them.
const AHEAD: usize = 64;

/// Threads at work, as seen by the one who hands out the tasks.
pub(super) struct Pool<'a, T, R> {
    tasks: Sender<(usize, T)>,
    results: Receiver<(usize, R)>,
    workers: usize,
    stop: &'a Stop,
}

/// Lets so many workers work while `body` hands out tasks. Each worker is made, on its thread, by `worker`. When `stop` is said
/// they finish what they are at, which should not be long, and begin no more.
pub(super) fn with_pool<T, R, W, X>(
    workers: u16,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
    body: impl FnOnce(&Pool<'_, T, R>) -> X,
) -> X
where
    T: Send,
    R: Send,
    W: FnMut(T) -> R,
{
    let (tasks, inbox) = unbounded::<(usize, T)>();
    let (outbox, results) = unbounded();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (inbox, outbox, worker) = (inbox.clone(), outbox.clone(), &worker);
            scope.spawn(move || {
                let _alarm = Alarm(stop);
                let mut work = worker();
                while let Ok((number, task)) = inbox.recv() {
                    if stop.is_said() || outbox.send((number, work(task))).is_err() {
                        break;
                    }
                }
            });
        }
        body(&Pool { tasks, results, workers: usize::from(workers), stop })
        // The pool is dropped here, and with it the tasks: the workers end.
    })
}

/// Says stop when its thread panics: the others would wait for its result.
struct Alarm<'a>(&'a Stop);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.say();
        }
    }
}

impl<T, R> Pool<'_, T, R> {
    /// Does all the tasks that come in, and hands their results to `done` in the order of the tasks. Ends early when stop is
    /// said, and says it when `done` fails; results that come after that word are not handed on, for they may be cut short.
    pub(super) fn in_order<E>(&self, tasks: &Receiver<T>, mut done: impl FnMut(R) -> Result<(), E>) -> Result<(), E> {
        let (mut taken, mut handed_on) = (0, 0);
        let mut waiting = BTreeMap::new();
        let (mut more, closed) = (true, never());
        while (more || handed_on < taken) && !self.stop.is_said() {
            let source = if more && taken - handed_on < self.workers * AHEAD { tasks } else { &closed };
            select_biased! {
                recv(self.stop.channel()) -> _ => break,
                recv(self.results) -> result => {
                    let Ok((number, result)) = result else { break };
                    waiting.insert(number, result);
                    while !self.stop.is_said() && let Some(result) = waiting.remove(&handed_on) {
                        if let Err(error) = done(result) {
                            self.stop.say();
                            return Err(error);
                        }
                        handed_on += 1;
                    }
                }
                recv(source) -> task => match task {
                    Ok(task) => {
                        // INVARIANT: the workers take tasks until the pool is dropped, or stop is said.
                        let _ = self.tasks.send((taken, task));
                        taken += 1;
                    }
                    Err(RecvError) => more = false,
                },
            }
        }
        Ok(())
    }

    /// The results of a few tasks; nothing when stop was said before they were done.
    pub(super) fn all(&self, tasks: impl IntoIterator<Item = T>) -> Option<Vec<R>> {
        let (sender, inbox) = unbounded();
        for task in tasks {
            let _ = sender.send(task);
        }
        drop(sender);
        let mut results = Vec::new();
        let done = self.in_order(&inbox, |result| {
            results.push(result);
            Ok::<(), std::convert::Infallible>(())
        });
        (done.is_ok() && !self.stop.is_said()).then_some(results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn squares(workers: u16, stop: &Stop, numbers: impl IntoIterator<Item = u64>) -> Option<Vec<u64>> {
        // The later a task comes in, the sooner it is done.
        let work = || {
            |number: u64| {
                thread::sleep(Duration::from_micros(200 - number.min(200)));
                number * number
            }
        };
        with_pool(workers, stop, work, |pool| pool.all(numbers))
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks_whoever_does_them() {
        let expected: Vec<u64> = (0..300).map(|number| number * number).collect();
        for workers in [1, 2, 7] {
            assert_eq!(squares(workers, &Stop::new(), 0..300), Some(expected.clone()), "{workers}");
        }
        assert_eq!(squares(3, &Stop::new(), []), Some(vec![]));
    }

    #[test]
    fn a_crew_that_is_told_to_stop_hands_nothing_on() {
        let stop = Stop::new();
        stop.say();
        assert_eq!(squares(2, &stop, 0..300), None);
    }

    #[test]
    fn a_result_that_nobody_takes_ends_the_work() {
        let (sender, tasks) = unbounded();
        (0..100).for_each(|task| sender.send(task).unwrap());
        let mut taken = Vec::new();
        let ended = with_pool(
            1,
            &Stop::new(),
            || |task: u32| task,
            |pool| {
                pool.in_order(&tasks, |result| {
                    taken.push(result);
                    if result == 3 { Err("full") } else { Ok(()) }
                })
            },
        );
        assert_eq!((ended, taken), (Err("full"), vec![0, 1, 2, 3]));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_worker_that_fails_ends_the_work_and_is_heard_of() {
        let work = || |task: u32| if task == 5 { panic!("no") } else { task };
        with_pool(2, &Stop::new(), work, |pool| pool.all(0..1000));
    }

    #[test]
    fn tasks_are_not_taken_far_ahead_of_the_results() {
        let (sender, tasks) = unbounded();
        (0..10_000).for_each(|task| sender.send(task).unwrap());
        drop(sender);
        let ended = with_pool(
            1,
            &Stop::new(),
            || |task: usize| task,
            |pool| {
                pool.in_order(&tasks, |result| {
                    let ahead = 10_000 - tasks.len() - result;
                    if ahead > 2 * AHEAD { Err(ahead) } else { Ok(()) }
                })
            },
        );
        assert_eq!(ended, Ok(()));
    }
}
