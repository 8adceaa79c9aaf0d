//! What happened in a step, as a line of text: the move, what it did, the tiles that were drawn, the bag.

use serde_json::Value;
use std::fmt::Write;

/// What is known of a step.
pub(super) struct Told<'s> {
    pub(super) number: u32,
    pub(super) seat: Option<u32>,
    pub(super) action: &'s Value,
    pub(super) notes: &'s Value,
    pub(super) view: &'s Value,
    pub(super) taken_back: u32,
}

/// The line; `names` by seat.
pub(super) fn line(told: &Told<'_>, names: &[String]) -> String {
    let mut text = format!("{}. ", told.number);
    match told.taken_back {
        0 => {}
        1 => text.push_str("(after a move was taken back) "),
        moves => _ = write!(text, "(after {moves} moves were taken back) "),
    }
    if told.number == 0 {
        text.push_str("The deal");
        if let Some(hands) = told.view["hands"].as_array() {
            let hands = hands.iter().enumerate();
            let hands = hands
                .map(|(seat, hand)| format!("{} {}", name(names, seat), hand.as_str().unwrap_or_default()));
            _ = write!(text, ": {}", hands.collect::<Vec<_>>().join(", "));
        }
    } else {
        let who = told.seat.map_or("The table", |seat| name(names, seat as usize));
        _ = write!(text, "{who}: {}", action(told.action, names));
        did(&mut text, told.notes, names);
        drawn(&mut text, told.notes, names);
    }
    if let Some(bag) = told.view["bag"].as_u64() {
        _ = write!(text, "; bag {bag}");
    }
    text
}

fn name(names: &[String], seat: usize) -> &str {
    names.get(seat).map_or("?", String::as_str)
}

fn action(action: &Value, names: &[String]) -> String {
    let Some((kind, what)) = action.as_object().and_then(|members| members.iter().next()) else {
        return action.to_string();
    };
    let seat = || name(names, what.as_u64().unwrap_or(u64::MAX) as usize);
    match kind.as_str() {
        "play" => format!("plays {} {}", text(&what["at"]), text(&what["tiles"])),
        "exchange" => format!("exchanges {}", text(what)),
        "pass" => "passes".to_owned(),
        "challenge" => "challenges".to_owned(),
        "verdict" if what == &Value::Bool(false) => "the play is withdrawn".to_owned(),
        "verdict" => "the play stands".to_owned(),
        "pit" => format!("sows pit {what}"),
        "time" => format!("{} is out of time", seat()),
        "resigned" => format!("{} resigns", seat()),
        "left" => format!("{} leaves", seat()),
        "aborted" => "the game is aborted".to_owned(),
        _ => action.to_string(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

fn did(line: &mut String, notes: &Value, names: &[String]) {
    if let Some(words) = notes["words"].as_array().filter(|words| !words.is_empty()) {
        let words = words.iter().map(|word| format!("{} {}", text(&word["word"]), word["score"]));
        _ = write!(line, ": {}", words.collect::<Vec<_>>().join(", "));
    }
    if let Some(bonus) = notes["bonus"].as_i64() {
        _ = write!(line, ", bonus {bonus}");
    }
    if let Some(points) = notes["points"].as_array() {
        let points = points.iter().enumerate().filter_map(|(seat, points)| Some((seat, points.as_i64()?)));
        let points: Vec<_> = points.filter(|(_, points)| *points != 0).collect();
        let each = |(seat, points): &(usize, i64)| format!("{} {points:+}", name(names, *seat));
        match &points[..] {
            [] => {}
            [(_, points)] => _ = write!(line, " ({points:+})"),
            several => _ = write!(line, " ({})", several.iter().map(each).collect::<Vec<_>>().join(", ")),
        }
    }
    if let Some(captured) = notes["captured"].as_u64().filter(|captured| *captured > 0) {
        _ = write!(line, ", captures {captured}");
    }
    if notes["again"] == true {
        line.push_str(", moves again");
    }
}

fn drawn(line: &mut String, notes: &Value, names: &[String]) {
    let Some(drawn) = notes["drawn"].as_array() else { return };
    for (seat, tiles) in drawn.iter().enumerate().filter(|(_, tiles)| !text(tiles).is_empty()) {
        _ = write!(line, "; {} draws {}", name(names, seat), text(tiles));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(number: u32, seat: Option<u32>, action: &Value, notes: &Value, view: &Value) -> String {
        let told = Told { number, seat, action, notes, view, taken_back: 0 };
        line(&told, &["Ada".to_owned(), "<b>Bo</b>".to_owned()])
    }

    #[test]
    fn p2_a_line_says_the_move_the_tiles_drawn_and_the_bag() {
        let notes = json!({"words":[{"word":"JETON","score":48}],"points":[48,0],"drawn":["AEIOU",""]});
        let line = told(1, Some(0), &json!({"play":{"at":"8D","tiles":"JETON"}}), &notes, &json!({"bag":81}));
        assert_eq!(line, "1. Ada: plays 8D JETON: JETON 48 (+48); Ada draws AEIOU; bag 81");
        let line = told(0, None, &Value::Null, &json!({}), &json!({"hands":["ABC","DEF"],"bag":86}));
        assert_eq!(line, "0. The deal: Ada ABC, <b>Bo</b> DEF; bag 86");
        let line = told(9, Some(1), &json!({"pass":true}), &json!({"points":[-3,5]}), &json!({"bag":0}));
        assert_eq!(line, "9. <b>Bo</b>: passes (Ada -3, <b>Bo</b> +5); bag 0");
        let line = told(7, None, &json!({"time":1}), &json!({}), &json!({"pits":[]}));
        assert_eq!(line, "7. The table: <b>Bo</b> is out of time");
        let line = told(3, Some(1), &json!({"pit":4}), &json!({"captured":5,"again":true}), &json!({}));
        assert_eq!(line, "3. <b>Bo</b>: sows pit 4, captures 5, moves again");
    }
}
