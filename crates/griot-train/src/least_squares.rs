//! Least squares for an evaluation whose weights are interpolated between a few phases of the game.

/// The sums of a least squares problem: the weights solve `matrix · weights = right`.
pub struct Sums {
    features: usize,
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
    /// The number of samples so far.
    pub samples: usize,
    squares: f64,
}

impl Sums {
    /// Sums without samples. `ridge` draws all weights to zero, and `smooth` draws weights of neighbouring phases to
    /// each other; both count as this many samples.
    pub fn new(features: usize, phases: usize, ridge: f64, smooth: f64) -> Sums {
        let unknowns = features * phases;
        let mut matrix = vec![vec![0.0; unknowns]; unknowns];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = ridge;
            for other in [i.wrapping_sub(features), i + features].into_iter().filter(|&other| other < unknowns) {
                row[other] = -smooth;
                row[i] += smooth;
            }
        }
        Sums { features, matrix, right: vec![0.0; unknowns], samples: 0, squares: 0.0 }
    }

    /// Adds a sample: its features, its phase with the share of the next phase, and its target.
    pub fn add(&mut self, features: &[i32], (phase, share): (usize, f64), target: f64) {
        let parts = [(phase, 1.0 - share), (phase + 1, share)];
        let mut inputs = Vec::with_capacity(2 * features.len());
        for (phase, part) in parts.into_iter().filter(|&(_, part)| part > 0.0) {
            let weighted = features.iter().enumerate().filter(|(_, x)| **x != 0);
            inputs.extend(weighted.map(|(i, &x)| (phase * self.features + i, part * f64::from(x))));
        }
        for &(i, x) in &inputs {
            self.right[i] += x * target;
            for &(j, y) in &inputs {
                self.matrix[i][j] += x * y;
            }
        }
        self.samples += 1;
        self.squares += target * target;
    }

    /// The weights, a row for each phase, and the root mean square error.
    pub fn solve(mut self) -> (Vec<Vec<i32>>, f64) {
        let unknowns = self.right.len();
        let mut right = self.right.clone();
        for column in 0..unknowns {
            let size = |row: &usize| self.matrix[*row][column].abs();
            let pivot = (column..unknowns).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
            self.matrix.swap(column, pivot);
            right.swap(column, pivot);
            let (done, below) = self.matrix.split_at_mut(column + 1);
            let above = &done[column];
            for (row, right_below) in below.iter_mut().zip(column + 1..) {
                let factor = row[column] / above[column];
                for (value, above) in row[column..].iter_mut().zip(&above[column..]) {
                    *value -= factor * above;
                }
                right[right_below] -= factor * right[column];
            }
        }
        for column in (0..unknowns).rev() {
            let known: f64 = (column + 1..unknowns).map(|other| self.matrix[column][other] * right[other]).sum();
            right[column] = (right[column] - known) / self.matrix[column][column];
        }
        let explained: f64 = right.iter().zip(&self.right).map(|(weight, sum)| weight * sum).sum();
        let rows = right.chunks(self.features).map(|row| row.iter().map(|weight| weight.round() as i32).collect());
        (rows.collect(), ((self.squares - explained) / self.samples as f64).sqrt())
    }
}
