"""The checker beside chess.js, chessops and python-chess: every disagreement is of a kind that has a name.

Three questions. Of positions of random games: does all agree? Of single faults: what each judge refuses, the
checker names; what a judge takes though the checker does not, is a rule that this judge does not have. Of
castling, en passant and checks on made-up positions: the same facts.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from faults import FAULTS, questions, spoil
from judges import BuildError, Judges, Verdict

from fen_core import check
from fen_core.castling import read_castling
from fen_core.fen import parse_placement

GAME_FACTS = {"mate": "checkmate", "stalemate": "stalemate", "insufficient": "insufficient-material"}

# What a judge's refusal means, by how its message begins (python-chess: flags) → codes of ours: one of them
# must be told.
REFUSALS: dict[str, dict[str, set[str]]] = {
    "chess.js": {
        "Invalid FEN: must contain six": {"field-count"},
        "Invalid FEN: move number": {"fullmove"},
        "Invalid FEN: half move counter": {"halfmove"},
        "Invalid FEN: en-passant square": {"ep-syntax", "ep-rank"},
        "Invalid FEN: illegal en-passant": {"ep-rank"},
        "Invalid FEN: castling availability": {"castling-syntax"},
        "Invalid FEN: side-to-move": {"side"},
        "Invalid FEN: piece data does not contain 8": {"rank-count"},
        "Invalid FEN: piece data is invalid (consecutive": {"digit"},
        "Invalid FEN: piece data is invalid (invalid piece": {"bad-char"},
        "Invalid FEN: piece data is invalid (too many": {"rank-sum"},
        "Invalid FEN: missing": {"kings-missing"},
        "Invalid FEN: too many": {"kings-many"},
        "Invalid FEN: some pawns are on the edge": {"pawn-edge"},
    },
    "chessops": {
        "ERR_BOARD": {"rank-sum", "rank-count", "bad-char", "digit"},
        "ERR_POCKETS": {"rank-count"},
        "ERR_TURN": {"side"},
        "ERR_CASTLING": {"castling-syntax"},
        "ERR_EP_SQUARE": {"ep-syntax"},
        "ERR_HALFMOVES": {"halfmove"},
        "ERR_FULLMOVES": {"fullmove"},
        "ERR_REMAINING_CHECKS": {"field-count"},  # a seventh field counts checks in one of its variants
        "ERR_KINGS": {"kings-missing", "kings-many", "rank-count"},  # it reads 7 ranks, then finds no king
        "ERR_OPPOSITE_CHECK": {"opponent-in-check"},
        "ERR_PAWNS_ON_BACKRANK": {"pawn-edge"},
    },
    "python-chess": {
        "parser: expected 'w' or 'b'": {"side"},
        "parser: expected 8 columns": {"rank-sum"},
        "parser: expected 8 rows": {"rank-count"},
        "parser: two subsequent digits": {"digit"},
        "parser: invalid character": {"bad-char", "digit"},
        "parser: fen string has more parts": {"field-count"},
        "parser: invalid castling part": {"castling-syntax"},
        "parser: invalid en passant part": {"ep-syntax"},
        "parser: invalid half-move clock": {"halfmove"},
        "parser: half-move clock cannot": {"halfmove"},
        "parser: invalid fullmove number": {"fullmove"},
        "parser: fullmove number cannot": {"fullmove"},
        "BAD_CASTLING_RIGHTS": {"castling-impossible"},
        "INVALID_EP_SQUARE": {"ep-rank", "ep-no-pawn", "ep-blocked"},
        "NO_WHITE_KING": {"kings-missing"},
        "NO_BLACK_KING": {"kings-missing"},
        "TOO_MANY_KINGS": {"kings-many"},
        "OPPOSITE_CHECK": {"opponent-in-check", "kings-many"},  # ours asks only where each side has one king
        "PAWNS_ON_BACKRANK": {"pawn-edge"},
        "TOO_MANY_WHITE_PAWNS": {"too-many-pawns"},
        "TOO_MANY_BLACK_PAWNS": {"too-many-pawns"},
        "TOO_MANY_WHITE_PIECES": {"too-many-pieces"},
        "TOO_MANY_BLACK_PIECES": {"too-many-pieces"},
        "TOO_MANY_CHECKERS": {"impossible-check", "opponent-in-check", "kings-many"},
        "IMPOSSIBLE_CHECK": {"impossible-check", "opponent-in-check", "kings-many"},
    },
}

# Rules that a judge does not have, or has in part: what it takes though it is a fault.
COUNTS_OF_MEN = {"too-many-pawns", "too-many-pieces", "pawn-structure", "locked-piece"}
PASSED_OVER: dict[str, dict[str, set[str]]] = {
    "chess.js": {
        "it looks at letters of the castling field only one by one": {"castling-syntax"},
        "it drops in silence what cannot be, or keeps it": {
            "castling-impossible",
            "ep-no-pawn",
            "ep-blocked",
        },
        "it takes a number for what stands before its first strange letter": {"halfmove", "fullmove"},
        "it does not tie the clock to the double step": {"halfmove"},
        "it counts a 0 as no square": {"digit"},
        "it does not ask whether the game can have come here": {
            "opponent-in-check",
            "impossible-check",
            *COUNTS_OF_MEN,
        },
    },
    "chessops": {
        "it does not ask for order or repetition of castling letters": {"castling-syntax"},
        "it drops in silence what cannot be": {"castling-impossible", "ep-rank", "ep-no-pawn", "ep-blocked"},
        "it reads numbers with zeros before them, and 0 as the first move": {"halfmove", "fullmove"},
        "it does not tie the clock to the double step": {"halfmove"},
        "it adds digits up": {"digit"},
        "it takes a ninth rank of letters for the men in hand of another game": {"rank-count"},
        "it does not ask whether the game can have come here": {"impossible-check", *COUNTS_OF_MEN},
    },
    "python-chess": {
        "it takes castling letters that stand twice": {"castling-syntax"},
        "it drops rights in silence where no rook is left on the rank": {"castling-impossible"},
        "it reads numbers as Python does: with zeros before them, of any length": {"halfmove", "fullmove"},
        "it does not tie the clock to the double step": {"halfmove"},
        "it takes back no move, and counts no promotions within sixteen men": {
            "impossible-check",
            *COUNTS_OF_MEN,
        },
    },
}


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    try:
        return Judges(tmp_path_factory.mktemp("judges"))
    except BuildError as error:
        pytest.skip(f"chess.js and chessops cannot be had: {error}")


def told(text: str, *severities: str) -> set[str]:
    return {p.code for p in check(text).problems if not severities or p.severity in severities}


# --- Games


def follow(judges: Judges, seed: int, positions: int) -> Counter[str]:
    """Compare on positions of random games; count the suspicions, assert everything else."""
    games = judges.games(seed, positions)
    counts: Counter[str] = Counter()
    for game, verdicts in zip(games, judges.judge([game["fen"] for game in games]), strict=True):
        fen = game["fen"]
        result = check(fen)
        assert result.ok, (fen, told(fen))
        assert result.fen == fen
        codes = {problem.code for problem in result.problems}
        for name, verdict in {"the game": game, **verdicts}.items():
            assert verdict["error"] is None, (name, fen, verdict)
            for fact, code in GAME_FACTS.items():
                assert (code in codes) == verdict[fact], (name, fact, fen)
            assert verdict["castling"] == fen.split(" ")[2], (name, fen)
        recorded = fen.split(" ")[3] != "-"
        assert ("ep-not-capturable" in codes) == (recorded and not game["capturable"]), fen
        counts["recorded"] += recorded
        counts["noted"] += "ep-not-capturable" in codes
        counts["suspected"] += any(problem.severity == "suspect" for problem in result.problems)
        counts.update(codes & set(GAME_FACTS.values()))
    return counts


def test_positions_of_random_games(judges: Judges):
    counts = follow(judges, 2, 1500)
    assert counts["suspected"] <= 1
    assert counts["noted"] > 20


@pytest.mark.long
def test_many_positions_of_random_games(judges: Judges):
    counts: Counter[str] = Counter()
    for seed in range(100, 110):
        counts += follow(judges, seed, 10_000)
    assert counts["suspected"] <= 100
    assert min(counts[code] for code in ("noted", "checkmate", "stalemate", "insufficient-material")) > 5


# --- Single faults


def spoilt(games: list[dict[str, Any]], seed: int, each: int) -> list[tuple[str, str]]:
    """Spoil positions of games, each kind of fault as often; give the text and the code that must be told."""
    rng = random.Random(seed)
    found = []
    for name in FAULTS:
        made = 0
        for game in rng.sample(games, len(games)):
            case = spoil(game["fen"], name, rng)
            if case:
                found.append(case)
                made += 1
            if made == each:
                break
        assert made >= min(each, 5), f"{name} found room in {made} positions"
    return found


def disagreements(
    name: str, verdict: Verdict, codes: set[str], faults: set[str], seen: set[str]
) -> list[str]:
    """Say what is unexplained between the checker and one judge; add the explanations used to `seen`."""
    problems = []
    message = verdict["error"]
    if name == "chess.js" and message and not message.startswith("Invalid FEN"):
        # It breaks down where it castles with a rook, or takes a pawn en passant, that is not there.
        if not codes & {"castling-impossible", "ep-no-pawn", "ep-blocked", "ep-rank"}:
            problems.append(f"{name} breaks down: {message}")
    elif message:
        parts = [message] if " " in message and not message.isupper() else message.split(" ")
        for part in parts:
            meanings = [key for key in REFUSALS[name] if part.startswith(key)]
            if not meanings:
                problems.append(f"{name} says {part!r}, which has no explanation")
            for key in meanings:
                seen.add(f"{name}: {key}")
                if not codes & REFUSALS[name][key]:
                    problems.append(f"{name} says {part!r}, the checker tells {sorted(codes)}")
    else:
        for code in faults:
            reasons = [reason for reason, rules in PASSED_OVER[name].items() if code in rules]
            seen.update(f"{name}: {reason}" for reason in reasons)
            if not reasons:
                problems.append(f"{name} takes what the checker calls {code}")
    return problems


def compare_on_faults(judges: Judges, seed: int, positions: int, each: int) -> int:
    cases = spoilt(judges.games(seed, positions), seed, each)
    seen: set[str] = set()
    unexplained = []
    names: set[str] = set()
    for (text, code), verdicts in zip(cases, judges.judge([text for text, _ in cases]), strict=True):
        codes, faults = told(text), told(text, "syntax", "illegal")
        assert code in codes, (code, codes, text)
        if code == "castling-impossible" and not verdicts["chessops"]["error"]:
            # Dropped in silence there, named here: what is left is the same, but for Chess960 of one side.
            (problem,) = (p for p in check(text).problems if p.code == code)
            same = verdicts["chessops"]["castling"] == problem.params["castling"]
            assert same or problem.params.get("variant") == "chess960", text
        names |= set(verdicts)
        for name, verdict in verdicts.items():
            unexplained += [
                f"{text}: {problem}" for problem in disagreements(name, verdict, codes, faults, seen)
            ]
    assert unexplained == []
    # An explanation that explains nothing is a leftover.
    for table in (REFUSALS, PASSED_OVER):
        for name in names:
            assert [key for key in table[name] if f"{name}: {key}" not in seen] == []
    return len(cases)


def test_single_faults(judges: Judges):
    assert compare_on_faults(judges, 4, 3000, 30) > 700


@pytest.mark.long
def test_many_single_faults(judges: Judges):
    assert sum(compare_on_faults(judges, seed, 20_000, 400) for seed in (5, 6, 7)) > 30_000


# --- Castling, en passant, checks


def compare_on_questions(judges: Judges, seed: int, wanted: int) -> Counter[str]:
    """Compare the facts on made-up positions; faults of the past are not asked about."""
    rng = random.Random(seed)
    texts = [questions(rng) for _ in range(wanted)]
    counts: Counter[str] = Counter()
    for text, verdicts in zip(texts, judges.judge(texts), strict=True):
        codes = told(text)
        placement, _, castling, ep, *_ = text.split(" ")
        chess_js, chessops = verdicts["chess.js"], verdicts["chessops"]
        sound = not codes & {"ep-no-pawn", "ep-blocked", "ep-rank"}
        asked = sound and "castling-impossible" not in codes
        # chess.js breaks down where it takes a pawn en passant, or castles with a rook, that is not there.
        assert chess_js["error"] is None or (not asked and "Invalid" not in chess_js["error"]), (
            text,
            chess_js,
        )
        assert ("opponent-in-check" in codes) == (chessops["error"] == "ERR_OPPOSITE_CHECK"), (text, codes)
        if chessops["error"]:
            counts["opponent-in-check"] += 1
            continue
        rights = read_castling(parse_placement(placement), castling)
        kept = "".join(right.letter for right in rights.rights) or "-"
        if kept != chessops["castling"]:
            # It reads letters as Chess960 for one side alone, without asking whether both can have started
            # alike, and for a king that stands on the edge, where none begins.
            assert rights.impossible, (text, kept)
            on_the_edge = any(placement.split("/")[rank][at] in "Kk" for rank in (0, 7) for at in (0, -1))
            assert rights.could_be_960 or on_the_edge, (text, kept)
            counts["chess960"] += 1
        capturable = ep != "-" and sound and "ep-not-capturable" not in codes
        if (
            "ep-blocked" in codes
        ):  # chessops asks whether the pawn's origin is free, not whether the target is
            assert chessops["ep"] in ("-", ep), text
        else:
            assert (chessops["ep"] != "-") == capturable, text
        counts["capturable" if capturable else "not capturable"] += ep != "-" and sound
        assert not asked or (chess_js["ep"] != "-") == capturable, text
        for fact, code in GAME_FACTS.items():
            facts = {verdict[fact] for verdict in ((chess_js, chessops) if asked else (chessops,))}
            assert facts == {code in codes} or "ep-blocked" in codes, (text, fact)
        counts["mate"] += chessops["mate"]
        counts["check"] += chessops["check"]
        if "impossible-check" in codes:
            assert chessops["check"] or ep != "-", text
            counts["impossible check"] += 1
        flags = verdicts.get("python-chess", {}).get("error") or ""
        if "BAD_CASTLING_RIGHTS" in flags:  # it was not told that the game may be Chess960
            assert rights.impossible or rights.dialect == "x-fen", text
    return counts


def test_castling_en_passant_and_checks(judges: Judges):
    counts = compare_on_questions(judges, 6, 1500)
    assert min(counts[kind] for kind in ("capturable", "not capturable", "chess960", "check")) > 10


@pytest.mark.long
def test_castling_en_passant_and_checks_on_many(judges: Judges):
    counts = compare_on_questions(judges, 7, 40_000)
    assert min(counts[kind] for kind in ("capturable", "not capturable", "chess960", "check", "mate")) > 10
