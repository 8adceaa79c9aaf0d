"""A second checker of finished games, written from docs/log-format.md alone.

    python3 checker.py FILE...      logs or certificates of kalah; says what is wrong and exits with 1

It shares nothing with the Rust rules: chance, kalah, the draw and the chain are done again with the standard library.
"""

import hashlib
import json
import re
import sys

LETTERS = {
    "english": "A9 B2 C2 D4 E12 F2 G3 H2 I9 J1 K1 L4 M2 N6 O8 P2 Q1 R6 S4 T6 U4 V2 W2 X1 Y2 Z1",
}
BLANKS = {"english": 2}
EARLY = ("time", "resigned", "left", "aborted")
CREDIT_US_MAX = 500_000


class Wrong(Exception):
    """What a file says is not so."""


def need(holds, what):
    if not holds:
        raise Wrong(what)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    # Names of members are plain ASCII here, so sorting by code point is sorting by UTF-16 unit.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def once(pairs):
    members = dict(pairs)
    need(len(members) == len(pairs), "a member stands twice")
    return members


def no_fraction(text):
    raise Wrong(f"{text} is no integer")


def members(value, names, where):
    need(isinstance(value, dict) and sorted(value) == sorted(names.split()), f"{where}: not the members {names}")


def number(value, where):
    need(type(value) is int and abs(value) < 2**53, f"{where}: not an integer")
    return value


class Chance:
    """The random values of one place: the keystream of ChaCha20."""

    def __init__(self, key, stream):
        words = [int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4)]
        self.start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *words]
        self.stream, self.block, self.words = stream, 0, []

    def word(self):
        if not self.words:
            place = [self.block & 0xFFFFFFFF, self.block >> 32, self.stream & 0xFFFFFFFF, self.stream >> 32]
            self.words = self.keystream(self.start + place)
            self.block += 1
        return self.words.pop(0)

    @staticmethod
    def keystream(start):
        s = list(start)

        def quarter(a, b, c, d):
            for one, two, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                s[one] = (s[one] + s[two]) & 0xFFFFFFFF
                mixed = s[into] ^ s[one]
                s[into] = ((mixed << turn) | (mixed >> (32 - turn))) & 0xFFFFFFFF

        for _ in range(10):
            for i in range(4):
                quarter(i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        return [(mixed + first) & 0xFFFFFFFF for mixed, first in zip(s, start)]

    def below(self, n):
        while n > 1:
            value = self.word() | self.word() << 32
            if value <= 2**64 - 1 - 2**64 % n:
                return value % n
        return 0

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class Kalah:
    """A table of kalah, move by move."""

    def __init__(self, log):
        options = log["options"]
        members(options, "seeds capture", "log.options")
        need(3 <= number(options["seeds"], "seeds") <= 6 and options["capture"] in ("standard", "empty"), "log.options")
        need(len(log["seats"]) == 2 and log["firstSeat"] in (0, 1), "log.seats")
        self.table, self.empty = log["table"], options["capture"] == "empty"
        self.pits, self.stores = [[options["seeds"]] * 6, [options["seeds"]] * 6], [0, 0]
        self.acting, self.order, self.number, self.phase, self.outcome = log["firstSeat"], [0, 1], 0, "sow", None

    def copy(self):
        twin = Kalah.__new__(Kalah)
        twin.__dict__.update(self.__dict__)
        twin.pits, twin.stores, twin.order = [list(row) for row in self.pits], list(self.stores), list(self.order)
        return twin

    def play(self, move):
        members(move, "number seat move drew", f"move {self.number + 1}")
        where = f"move {move['number']}"
        need(self.outcome is None, f"{where}: the game is over")
        need(move["number"] == self.number + 1 and move["drew"] is False, f"{where}: number or drew")
        self.number += 1
        if move["seat"] is None:
            self.decree(move["move"], where)
        else:
            need(move["seat"] == self.acting, f"{where}: not their turn")
            members(move["move"], "pit", where)
            self.sow(number(move["move"]["pit"], where), where)

    def decree(self, move, where):
        need(isinstance(move, dict) and len(move) == 1, f"{where}: unknown")
        (reason, seat), = move.items()
        need(reason in EARLY and (seat in (0, 1) if reason != "aborted" else seat is None), f"{where}: unknown")
        if seat is not None:
            self.order.remove(seat)
        results = ["won" if i in self.order else "lost" for i in (0, 1)] if seat is not None else ["none"] * 2
        self.end(reason, results)

    def sow(self, pit, where):
        me, other = self.acting, 1 - self.acting
        need(1 <= pit <= 6 and self.pits[me][pit - 1], f"{where}: nothing to sow")
        seeds, self.pits[me][pit - 1], place = self.pits[me][pit - 1], 0, pit - 1
        for _ in range(seeds):
            place = (place + 1) % 13
            if place < 6:
                self.pits[me][place] += 1
            elif place == 6:
                self.stores[me] += 1
            else:
                self.pits[other][place - 7] += 1
        if place < 6 and self.pits[me][place] == 1 and (self.pits[other][5 - place] or self.empty):
            self.stores[me] += 1 + self.pits[other][5 - place]
            self.pits[me][place] = self.pits[other][5 - place] = 0
        if not any(self.pits[0]) or not any(self.pits[1]):
            for seat in (0, 1):
                self.stores[seat], self.pits[seat] = self.stores[seat] + sum(self.pits[seat]), [0] * 6
            self.phase, (a, b) = "over", self.stores
            self.end("finished", ["drawn"] * 2 if a == b else ["won", "lost"] if a > b else ["lost", "won"])
        elif place != 6:
            self.acting = other

    def end(self, reason, results):
        self.acting, self.outcome = None, {"reason": reason, "results": results, "scores": list(self.stores)}

    def state(self):
        data = {"pits": self.pits, "stores": self.stores}
        return {"acting": self.acting, "data": data, "initiative": None, "number": self.number, "order": self.order,
                "outcome": self.outcome, "phase": self.phase, "table": self.table, "waiting": []}


def check_log(log, commitment=None):
    members(log, "format chance table game version seed seats options firstSeat moves", "log")
    need((log["format"], log["chance"], log["game"], log["version"]) == (1, 1, "kalah", 1), "log: another form or game")
    need(re.fullmatch("[0-9a-f]{64}", log["seed"]), "log.seed")
    need(commitment in (None, sha256(bytes.fromhex(log["seed"]))), "log.seed: not the one committed to")
    table = Kalah(log)
    for move in log["moves"]:
        table.play(move)
    need(table.outcome, "log.moves: the game is not over")
    movers = {move["seat"] for move in log["moves"]} - {None}
    need(table.outcome["reason"] != "aborted" or len(movers) < len(log["seats"]), "log.moves: aborted after a move of each")
    return table


def check_draw(draw, seats):
    members(draw, "tileSet winner firsts reusedFrom rounds", "draw")
    name, firsts = draw["tileSet"], draw["firsts"]
    letters = [(text[0], int(text[1:])) for text in LETTERS[name].split()]
    full = [-1] * BLANKS[name] + [rank for rank, (_, count) in enumerate(letters) for _ in range(count)]
    contenders = [i for i in range(seats) if firsts is None or firsts[i] == min(firsts)]
    for round_ in draw["rounds"]:
        left, drawn = list(full), {}
        for pick in round_:
            members(pick, "participant seat letter blank rank recorded entropySha256 entropy", "draw: a pick")
            who, rank = pick["participant"], pick["rank"]
            need(who in contenders and who not in drawn, "draw: not their turn")
            need(pick["seat"] == (who + seats - draw["winner"]) % seats, "draw: the seat of a participant")
            if pick["recorded"]:
                need(pick["entropy"] is None and pick["entropySha256"] is None and rank in left, "draw: a recorded tile")
            else:
                entropy = bytes.fromhex(pick["entropy"])
                need(len(entropy) == 32 and sha256(entropy) == pick["entropySha256"], "draw: an entropy")
                shuffled = list(left)
                Chance(entropy, 0).shuffle(shuffled)
                need(rank == shuffled[-1], "draw: a tile")
            letter = "" if rank == -1 else letters[rank][0]
            need(pick["letter"] == letter and pick["blank"] is (rank == -1), "draw: a letter")
            left.remove(rank)
            drawn[who] = rank
        need(sorted(drawn) == contenders, "draw: somebody did not draw")
        contenders = [i for i in contenders if drawn[i] == min(drawn.values())]
    need(contenders == [draw["winner"]], "draw.winner")


def check_time(entry, before, state, clock, full, where):
    kind, runs, ran = entry["event"]["kind"], entry["runs"], before["runs"]
    need(number(entry["atUs"], where) >= before["atUs"], f"{where}: atUs")
    need(number(entry["spentUs"], where) >= 0 and (ran is not None or entry["spentUs"] == 0), f"{where}: spentUs")
    need(0 <= number(entry["creditUs"], where) <= (CREDIT_US_MAX if runs is not None else 0), f"{where}: creditUs")
    may_run = clock is not None and full
    need(runs is None or may_run and kind != "clockStopped" and number(runs, where) == state.acting, f"{where}: runs")
    need(kind != "clockStopped" or may_run, f"{where}: no clock was there to stop")
    need(kind != "clockResumed" or before["event"]["kind"] == "clockStopped", f"{where}: the clocks did not stand")
    if kind == "move" and entry["event"]["seat"] is None and "time" in entry["event"]["move"]:
        need(entry["event"]["move"]["time"] == ran is not None, f"{where}: the clock of that seat did not run")


def check_journal(journal, log, clock, opened_at_us):
    states, sitters = [Kalah(log)], [None, None]
    before = {"atUs": number(opened_at_us, "openedAtUs"), "runs": None, "event": {"kind": "opened"}}
    for revision, entry in enumerate(journal, 1):
        where = f"journal[{revision - 1}]"
        members(entry, "revision atUs event state spentUs creditUs runs", where)
        need(entry["revision"] == revision, f"{where}: revision")
        need(states[-1].outcome is None, f"{where}: the game was over")
        event = dict(entry["event"])
        kind = event.pop("kind")
        if kind == "move":
            need(event["seat"] is None or sitters[event["seat"]], f"{where}: nobody sat there")
            states.append(states[-1].copy())
            states[-1].play(event)
        elif kind == "undo":
            need(event["number"] == states.pop().number > 0, f"{where}: undo")
        elif kind == "seatTaken":
            need(event["seat"] in (0, 1) and sitters[event["seat"]] is None, f"{where}: seat")
            sitters[event["seat"]] = event["sitter"]
        else:
            need(kind in ("clockStopped", "clockResumed"), f"{where}: kind")
        check_time(entry, before, states[-1], clock, all(sitters), where)
        digest = sha256(canonical(states[-1].state()))
        need(entry["state"] in ((digest,) if kind in ("move", "undo") else (digest, None)), f"{where}: state")
        before = entry
    aborted = states[-1].outcome and states[-1].outcome["reason"] == "aborted"
    need(not (aborted and all(sitters) and any(move["seat"] is not None for move in log["moves"])), "outcome: aborted too late")
    need([sitter or {"kind": "player"} for sitter in sitters] == log["seats"], "log.seats")
    return states[-1]


def check_series(series, log, this):
    members(series, "id games", "series")
    seats, tables = range(len(log["seats"])), set()
    for place, game in enumerate(series["games"]):
        where = f"series.games[{place}]"
        members(game, "table firstSeat reason winner scores", where)
        need(game["table"] not in tables, f"{where}: the same game twice")
        tables.add(game["table"])
        need(number(game["firstSeat"], where) in seats, f"{where}: firstSeat")
        need(game["winner"] is None or number(game["winner"], where) in seats, f"{where}: winner")
        need(len(game["scores"]) == len(seats) and game["reason"] in ("finished", *EARLY), f"{where}: scores or reason")
    need(series["games"][-1:] == [this], "series.games")


def check_certificate(file):
    members(file, "certificate chain clock commitment dictionary draw journal log openedAtUs outcome series", "certificate")
    besides = {name: value for name, value in file.items() if name not in ("chain", "journal")}
    link = hashlib.sha256(canonical(besides)).digest()
    for entry in file["journal"]:
        link = hashlib.sha256(link + canonical(entry)).digest()
    need(file["certificate"] == 1 and file["chain"] == link.hex(), "chain")
    log = file["log"]
    table = check_log(log, file["commitment"])
    ended = check_journal(file["journal"], log, file["clock"], file["openedAtUs"])
    need(ended.state() == table.state(), "log.moves: not those of the journal")
    need(table.outcome == file["outcome"], "outcome")
    if file["draw"]:
        check_draw(file["draw"], len(log["seats"]))
        need(log["firstSeat"] == 0, "log.firstSeat")
    scores, results = table.outcome["scores"], table.outcome["results"]
    this = {"table": log["table"], "firstSeat": log["firstSeat"], "reason": table.outcome["reason"], "scores": scores,
            "winner": results.index("won") if "won" in results else None}
    check_series(file["series"], log, this)


def check(path):
    with open(path, encoding="utf-8") as opened:
        file = json.load(opened, object_pairs_hook=once, parse_float=no_fraction)
    check_certificate(file) if "certificate" in file else check_log(file)


def main():
    wrong = 0
    for path in sys.argv[1:]:
        try:
            check(path)
        except (Wrong, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            wrong += 1
            print(f"{path}: {error}", file=sys.stderr)
    print(f"{len(sys.argv) - 1 - wrong} hold, {wrong} don't")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
