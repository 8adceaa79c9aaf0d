//! What is said of files.

use crate::house::House;
use astragal_runtime::error::{Code, Problem};
use serde_json::json;

/// P4, L8: a log of another game, version or seed does not hold, and the verdict names the place.
#[tokio::test]
async fn p4_l8_a_verdict_names_the_place() {
    let house = House::open().await;
    let [game, other] = [house.game().await, house.game().await];
    house.end(&game).await;
    house.end(&other).await;
    let log = house.log(&game).await;
    assert!(house.verify(log.to_string(), "").await.expect("a verdict").holds);
    let other_seed = house.log(&other).await["seed"].clone();
    let altered = [
        ("game", json!("chess"), "game"),
        ("version", json!(2), "version"),
        ("format", json!(9), "format"),
        ("seed", json!("00"), "seed"),
        ("moves", json!([]), "moves"),
        ("more", json!(1), "more"),
    ];
    for (field, value, place) in altered {
        let mut lie = log.clone();
        lie[field] = value;
        let verdict = house.verify(lie.to_string(), "").await.expect("a verdict");
        assert!(!verdict.holds && verdict.place.contains(place), "{field}: {verdict:?}");
    }
    let commitment = astragal_rules::finished_log::FinishedLog::from_json(&log.to_string()).expect("a log");
    let commitment = commitment.log().commitment().to_string();
    let mut lie = log.clone();
    lie["seed"] = other_seed;
    let verdict = house.verify(lie.to_string(), &commitment).await.expect("a verdict");
    assert_eq!((verdict.holds, &*verdict.place), (false, "seed"));
    for junk in ["", "null", "[]", "{\"certificate\":1}"] {
        assert!(!house.verify(junk, "").await.expect("a verdict").holds, "{junk}");
    }
    let refused = house.verify(vec![0xff], "").await.expect_err("no text");
    assert_eq!(Problem::from(refused).code, Code::InvalidArgument);
}

/// P5, L7: a certificate holds only beside the commitment that was shown at its opening.
#[tokio::test]
async fn p5_l7_a_certificate_is_compared_with_the_commitment_that_was_shown() {
    let house = House::open().await;
    let game = house.game().await;
    house.end(&game).await;
    let text = house.certificate(&game).await;
    let shown = astragal_rules::certificate::Certificate::from_json(&text).expect("a certificate").commitment;
    for (commitment, expected) in [
        (String::new(), (true, "")),
        (shown.to_string(), (true, "")),
        ("0".repeat(64), (false, "commitment")),
        ("00".to_owned(), (false, "commitment")),
    ] {
        let verdict = house.verify(text.clone(), &commitment).await.expect("a verdict");
        assert_eq!((verdict.holds, &*verdict.place), expected, "{commitment}: {}", verdict.message);
    }
}
