//! Odd files: each is read, or refused with the line and the reason.

use crate::data;
use astragal_rules::crossword::edition::Variant;
use astragal_rules::crossword::gcg::{Gcg, read};

fn bytes(file: &str) -> Vec<u8> {
    data::bytes(&format!("crossword/gcg_edge/{file}.gcg"))
}

/// What is odd about the files that are not scored to their end.
const ODD: [(&str, &str); 7] = [
    ("edge_01", "line 18: the score is 115, by the rules it is 113"),
    ("edge_11", "line 1: the encoding \"ISO8859-6\" is not read, write UTF-8 or ISO-8859-1"),
    ("edge_12", "line 4: the score is 20, by the rules it is 28"),
    ("edge_13", "line 12: the score is 0, by the rules it is -45"),
    ("edge_14", "line 4: the total is 33, the sum is 59"),
    ("edge_16", "line 29: the score is 1, by the rules it is 2"),
    ("edge_18", "line 7: G7: F is not on your rack"),
];

#[test]
fn gcg_edge_files_are_scored_or_refused_by_line() {
    let edition = Variant::English.edition();
    let manifest = data::json("crossword/gcg_edge/manifest_edge.json");
    let mut odd = Vec::new();
    for game in manifest.as_array().expect("a list") {
        let file = game["file"].as_str().unwrap().trim_end_matches(".gcg");
        match Gcg::read(&bytes(file)).and_then(|gcg| gcg.score(edition)) {
            Ok(scored) => {
                assert_eq!(serde_json::json!(scored.board.rows(edition)), game["final_board"], "{file}");
                assert_eq!(game["problems"], serde_json::json!([]), "{file}");
            }
            Err(error) => odd.push((file.to_owned(), error.to_string())),
        }
    }
    assert_eq!(manifest.as_array().unwrap().len(), 23);
    assert_eq!(odd, ODD.map(|(file, error)| (file.to_owned(), error.to_owned())));
}

fn refused(text: &[u8]) -> String {
    let scored = Gcg::read(text).and_then(|gcg| gcg.score(Variant::English.edition()));
    scored.err().unwrap_or_else(|| panic!("{} is taken", String::from_utf8_lossy(text))).to_string()
}

const HEAD: &str = "#player1 a Ann\n#player2 b Bob\n";

#[test]
fn gcg_says_what_is_wrong_and_in_which_line() {
    for (events, expected) in [
        (">a ABC 8H AB +8 8", "line 3: not an event: a colon follows the name"),
        (">a:", "line 3: not an event: it says nothing"),
        (">a: ABC", "line 3: not an event: it ends after the rack"),
        (">a: ABC 8H", "line 3: not an event: no tiles follow the place"),
        (">a: ABC 8P AB +8 8", "line 3: not an event: no place follows the rack"),
        (">a: ABC 8H AB", "line 3: not an event: the score is missing"),
        (">a: ABC 8H AB +8", "line 3: not an event: the total is missing"),
        (">a: ABC 8H AB +99999999999 8", "line 3: not an event: the score is missing"),
        (">c: ABC 8H AB +8 8", "line 3: no line #player names \"c\""),
        ("note\n", "line 3: a line begins with > or #"),
        (">a: ABC 8H AB +8 8\n\r\n>b: CD 7H CD +9 9", "line 5: the score is 9, by the rules it is 18"),
        (">a: ABC 8H AB +8 9", "line 3: the total is 9, the sum is 8"),
        (">a: ABC 8H AB +8 8\n>b: CD I7 C.D +9 9", "line 4: the score is 9, by the rules it is 13"),
        (">a: ABC 8H AD +6 6", "line 3: I8: D is not on your rack"),
        (">a: ABC 1A AB +8 8", "line 3: the first play covers the centre, H8"),
        (">a: ABC 8H AB +8 8\n>b: AB -- -8 0", "line 4: there is no play of this player to take back"),
        (">a: ABC 8H AB +8 8\n>a: ABC -- -7 1", "line 4: the score is -7, by the rules it is -8"),
        (">a: ABC - +0 0\n>a: ABC -- +0 0", "line 4: there is no play of this player to take back"),
        (">a: AБC 8H AC +8 8", "line 3: 'Ð' is not a letter of this set"),
        (">a: (QU) +11 11", "line 3: the score is 11, by the rules it is 22"),
        (">a: QU (QU) -22 -22", "line 3: the score is -22, by the rules it is -11"),
        ("#player4 d Dan", "line 3: not a player, write #player1 NICK NAME, the numbers from 1 on"),
        ("#player3", "line 3: not a player, write #player1 NICK NAME, the numbers from 1 on"),
        (
            "#character-encoding KOI8-R",
            "line 3: the encoding \"KOI8-R\" is not read, write UTF-8 or ISO-8859-1",
        ),
    ] {
        assert_eq!(refused(format!("{HEAD}{events}").as_bytes()), expected, "{events}");
    }
    assert_eq!(refused(b"#title Final\n"), "line 2: the file names no player, and so no game");
    assert_eq!(Gcg::read(HEAD.as_bytes()).expect("a game before its first move").events, []);
    let utf8 = [b"#character-encoding UTF-8\n".as_slice(), HEAD.as_bytes(), b">a: \xff 8H AB +8 8"].concat();
    assert_eq!(refused(&utf8), "line 4: the bytes are not UTF-8");
}

#[test]
fn gcg_huge_lines_and_files_are_refused() {
    let huge = format!("{HEAD}>a: {} 8H AB +8 8\n", "A".repeat(10 << 20));
    assert_eq!(
        refused(huge.as_bytes()),
        format!("line 3: the line is longer than {} bytes", read::LINE_BYTES_MAX)
    );
    let long = format!("{HEAD}{}", ">a: ABC - +0 0\r".repeat(read::EVENTS_MAX + 1));
    let expected = format!("line {}: a game has at most {} events", read::EVENTS_MAX + 3, read::EVENTS_MAX);
    assert_eq!(refused(long.as_bytes()), expected);
    assert!(Gcg::read(&vec![b'\n'; 1 << 20]).is_err() && Gcg::read(b"").is_err());
}

#[test]
fn gcg_any_part_of_a_file_is_read_or_refused() {
    let whole = bytes("edge_16");
    let mut read = 0;
    for end in 0..whole.len() {
        read += usize::from(
            Gcg::read(&whole[..end]).is_ok_and(|gcg| gcg.score(Variant::English.edition()).is_ok()),
        );
        let _ = Gcg::read(&whole[end..]);
    }
    assert!(read > 20, "a game that was cut between events is a game");
}

#[test]
fn gcg_lines_end_in_any_mix() {
    let text =
        "\u{feff}#character-encoding utf-8\r\r\n#player1 ä Änne\n\n\r>ä: AB? h8 AB +8 8\r>ä: ? j8 c +10 18\n";
    let gcg = Gcg::read(text.as_bytes()).expect("a game");
    assert_eq!((gcg.players[0].name.as_str(), gcg.events[0].line, gcg.events[1].line), ("Änne", 6, 7));
    let latin = [b"#player1 \xe4 \xc4nne\r\n".as_slice(), b">\xe4: AB 8H AB +8 8"].concat();
    let gcg = Gcg::read(&latin).expect("a game");
    assert_eq!(gcg.players[0].name, "Änne");
    assert_eq!(gcg.score(Variant::English.edition()).unwrap().totals, [8]);
}

#[test]
fn gcg_filled_squares_are_dots_letters_or_in_brackets() {
    for second in ["H7 C.B", "h7 CAB", "H7 C(A)B", "H7 CaB"] {
        let text = format!("{HEAD}>a: AB 8H AB +8 8\n>b: CB {second} +7 7");
        assert_eq!(
            Gcg::read(text.as_bytes()).unwrap().score(Variant::English.edition()).unwrap().totals,
            [8, 7]
        );
    }
}
