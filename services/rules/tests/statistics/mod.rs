//! The chi-squared test: how likely counts are, if the model is right.

/// Below this a test fails. The sources of the tests are fixed, so that none fails by bad luck.
pub(crate) const SIGNIFICANCE: f64 = 1e-6;

/// The chance of counts at least as far from the expected ones as these. Cells in which fewer
/// than five are expected count as one cell.
pub(crate) fn likelihood(counts: &[u64], expected: &[f64]) -> f64 {
    assert_eq!(counts.len(), expected.len(), "one expected count for each count");
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut rest = (0.0, 0.0);
    for (&count, &expected) in counts.iter().zip(expected) {
        if expected < 5.0 {
            rest = (rest.0 + count as f64, rest.1 + expected);
        } else {
            cells.push((count as f64, expected));
        }
    }
    if rest.1 >= 1.0 {
        cells.push(rest);
    } else if rest.0 >= 20.0 {
        return 0.0; // Twenty where less than one is expected: rarer than any bound of a test.
    }
    let distance = cells.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    tail(distance, cells.len() - 1)
}

/// The same for cells that are all equally likely.
pub(crate) fn uniform_likelihood(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    likelihood(counts, &vec![expected; counts.len()])
}

/// The chance that a chi-squared value is at least `distance`: one minus the series of the
/// incomplete gamma function.
fn tail(distance: f64, degrees: usize) -> f64 {
    let (a, x) = (degrees as f64 / 2.0, distance / 2.0);
    if x > a + 650.0 {
        return 0.0;
    }
    // The logarithm of gamma(a + 1), from gamma(1) = 1 or gamma(1/2) = sqrt(pi).
    let mut ln_gamma = if degrees.is_multiple_of(2) { 0.0 } else { std::f64::consts::PI.ln() / 2.0 };
    let mut step = if degrees.is_multiple_of(2) { 1.0 } else { 0.5 };
    while step <= a {
        ln_gamma += f64::ln(step);
        step += 1.0;
    }
    let mut term = (a * x.ln() - x - ln_gamma).exp();
    let mut sum = 0.0;
    let mut k = a;
    while term > 1e-18 || k < x {
        sum += term;
        k += 1.0;
        term *= x / k;
    }
    1.0 - sum
}

#[test]
fn l4_the_tail_of_chi_squared_is_that_of_the_tables() {
    for (degrees, distance, chance) in [
        (1, 3.841, 0.05),
        (1, 23.928, 1e-6),
        (2, 27.631, 1e-6),
        (5, 15.086, 0.01),
        (10, 18.307, 0.05),
        (30, 50.892, 0.01),
    ] {
        let found = tail(distance, degrees);
        assert!((found / chance - 1.0).abs() < 0.01, "{degrees} degrees, {distance}: {found}");
    }
    assert!(tail(1e6, 3) < SIGNIFICANCE, "a huge distance is unlikely");
}
