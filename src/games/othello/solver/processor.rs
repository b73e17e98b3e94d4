//! The processors that the searches are compiled for: any, and those with AVX2. Layer 2.
//!
//! Choosing at every node between two ways of finding moves and flips would cost what the better way gains. So the searches are
//! compiled for each [`Processor`], and the caller chooses. Recursive functions of a search call each other through the trait's
//! functions of the same names, which are compiled with AVX2 instructions; what they call is inlined or stays portable. FFO #40
//! to #45 take 0.69 of the time with AVX2, with the same nodes.
//!
//! One of the three modules with `unsafe`: an [`Avx2`] exists only after the processor was tested.
#![allow(unsafe_code)]

use std::fmt::Debug;

use super::super::flips;
use super::super::patterns::Runs;
use super::guess::Guesser;
use super::last::Last;
use super::search::{Stopped, Worker};

/// Any processor.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

/// A processor with AVX2 and the extensions that came with it.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// This processor, if it has them.
    pub(super) fn detected() -> Option<Avx2> {
        let has_all = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }
}

/// Generates the trait of the processors, and its implementations, from the recursive functions of a search.
macro_rules! processors {
    ($(fn $name:ident $(<const $size:ident: usize>)? (
        $searcher:ident: $kind:ident $(<$life:lifetime>)?, $($argument:ident: $type:ty),*
    ) -> $result:ty;)*) => {
        /// A kind of processor.
        pub trait Processor: Debug + Copy + Send + Sync {
            /// See [`flips::moves`].
            fn moves(self, mine: u64, theirs: u64) -> u64;

            /// See [`flips::flips`].
            fn flips(self, at: u8, mine: u64, theirs: u64) -> u64;

            $(
                /// See the method of this name.
                fn $name $(<const $size: usize>)? (
                    $searcher: &mut $kind<$($life,)? Self>, $($argument: $type),*
                ) -> $result;
            )*
        }

        impl Processor for Portable {
            #[inline(always)]
            fn moves(self, mine: u64, theirs: u64) -> u64 {
                flips::moves(mine, theirs)
            }

            #[inline(always)]
            fn flips(self, at: u8, mine: u64, theirs: u64) -> u64 {
                flips::flips(at, mine, theirs)
            }

            $(
                fn $name $(<const $size: usize>)? (
                    $searcher: &mut $kind<$($life,)? Self>, $($argument: $type),*
                ) -> $result {
                    $searcher.$name $(::<$size>)? ($($argument),*)
                }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        impl Processor for Avx2 {
            #[inline(always)]
            fn moves(self, mine: u64, theirs: u64) -> u64 {
                // SAFETY: an `Avx2` exists only if the processor has AVX2.
                unsafe { flips::avx2::moves(mine, theirs) }
            }

            #[inline(always)]
            fn flips(self, at: u8, mine: u64, theirs: u64) -> u64 {
                // SAFETY: an `Avx2` exists only if the processor has AVX2.
                unsafe { flips::avx2::flips(at, mine, theirs) }
            }

            $(
                #[inline(always)]
                fn $name $(<const $size: usize>)? (
                    $searcher: &mut $kind<$($life,)? Self>, $($argument: $type),*
                ) -> $result {
                    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                    fn compiled $(<const $size: usize>)? (
                        $searcher: &mut $kind<$($life,)? Avx2>, $($argument: $type),*
                    ) -> $result {
                        $searcher.$name $(::<$size>)? ($($argument),*)
                    }
                    // SAFETY: an `Avx2` exists only if the processor has AVX2.
                    unsafe { compiled $(::<$size>)? ($searcher, $($argument),*) }
                }
            )*
        }
    };
}

processors! {
    fn node<const MOST: usize>(
        worker: Worker<'_>, own: u64, opponent: u64, alpha: i32, beta: i32, empty: u32, passed: bool
    ) -> Result<i32, Stopped>;
    fn guess(guesser: Guesser<'_>, own: u64, opponent: u64, runs: &Runs, depth: u32, alpha: i32, beta: i32) -> i32;
    fn by_replies(last: Last, own: u64, opponent: u64, alpha: i32, empty: u32, passed: bool) -> i32;
    fn by_parity(last: Last, own: u64, opponent: u64, alpha: i32, empty: u32, passed: bool) -> i32;
    fn four(last: Last, own: u64, opponent: u64, cells: [usize; 4], alpha: i32, passed: bool) -> i32;
    fn three(last: Last, own: u64, opponent: u64, cells: [usize; 3], alpha: i32, passed: bool) -> i32;
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    #[test]
    fn any_board_has_the_moves_and_flips_of_the_portable_way() {
        let Some(processor) = Avx2::detected() else { return };
        let mut rng = SplitMix64::new(2);
        for round in 0..20_000 {
            let filled = (0..round % 4).fold(rng.next_u64(), |all, _| all | rng.next_u64());
            let colours = (0..round % 3).fold(rng.next_u64(), |all, _| all & rng.next_u64());
            let (mine, theirs) = (filled & colours, filled & !colours);
            assert_eq!(processor.moves(mine, theirs), Portable.moves(mine, theirs), "{mine:x} {theirs:x}");
            for at in (0..64).filter(|at| filled & 1 << at == 0) {
                let [found, expected] = [processor.flips(at, mine, theirs), Portable.flips(at, mine, theirs)];
                assert_eq!(found, expected, "{at} {mine:x} {theirs:x}");
            }
        }
    }
}
