"""The checker: any text → the FEN it holds, what is wrong or odd in it, and cures that are complete FENs.

Top of the checker's rooms: `clean` finds the fields, `syntax` reads them, `legality` and `suspect` judge the
position, and each proposed cure is examined like any other FEN before it is offered.  What always holds:
no text of any length raises, all that can be told is told at once and in a stable order, and a cure
removes its problem without making a new one as bad.

>>> result = check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w QKqk - 0 1")
>>> [problem.code for problem in result.problems]
['castling-syntax']
>>> result.problems[0].fixes[0].fen
'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fen_core.castling import rights_possible
from fen_core.clean import Cleaned, Note, clean
from fen_core.fen import DEFAULTS, FIELD_NAMES, START_FEN
from fen_core.legality import Finding, Position, position_findings
from fen_core.letters import readings
from fen_core.position import place_men
from fen_core.problem import SEVERITIES, Fix, Problem
from fen_core.suspect import suspicions
from fen_core.syntax import Fault, read_castling_field, read_counter, read_ep, read_placement, read_side

__all__ = ["CheckResult", "check", "check_board"]

_CHAIN = 12
"""Most FENs that are looked at in search of a chain of cures."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Hold what the checker found in a text.

    Attributes
    ----------
    fen : str or None
        What the text says, written canonically and not repaired; None where it cannot be read.
    problems : tuple of Problem
        Worst first, then in the order of the fields.
    cleaned : tuple of dict
        What was set aside or replaced before reading: {"code", "params"}.
    fixes : tuple of Fix
        Cures of the whole text: several of the problems' cures in a chain.
    dialect : str
        How castling rights are written: 'standard', 'x-fen' or 'shredder'.
    placement : str or None
        The placement field, where that alone can be read.
    """

    fen: str | None
    problems: tuple[Problem, ...] = ()
    cleaned: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    dialect: str = "standard"
    placement: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong: no problem of severity 'syntax' or 'illegal'."""
        return all(problem.severity in ("suspect", "note") for problem in self.problems)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values, in the shape that the command line and the page exchange."""
        return {
            "fen": self.fen,
            "problems": [problem.to_json() for problem in self.problems],
            "cleaned": list(self.cleaned),
            "fixes": [fix.to_json() for fix in self.fixes],
            "dialect": self.dialect,
            "placement": self.placement,
        }


@dataclass(frozen=True, slots=True)
class _Examined:
    """Hold the findings on six fields, before cures are verified."""

    fields: tuple[str, ...]
    findings: list[Finding]
    position: Position | None

    def told(self) -> set[tuple[str, str, str]]:
        """Name the findings, to compare two examinations."""
        return {
            (f.code, f.severity, str(f.params.get("side", f.params.get("rank", "")))) for f in self.findings
        }


_Memory = dict[tuple[str, ...], _Examined]
"""What was examined on behalf of one text: the text itself, its cures, and their cures."""


def check(text: str) -> CheckResult:
    """Check a text that holds, or should hold, a FEN.

    Parameters
    ----------
    text : str
        Anything: a FEN, EPD, a link, a PGN tag, a drawn board, or none of these.

    Returns
    -------
    CheckResult

    >>> check("8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1").fen
    '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'
    """
    found = clean(text)
    if not found.fields:
        return _nothing(found)
    given = found.fields
    if not _resembles(given):
        return _nothing(found, text)
    fields = (*given, *DEFAULTS[len(given) :])
    memory: _Memory = {}
    examined = _examine(fields, memory)
    problems = _problems(examined, memory)
    whole = _whole_text(found, examined.fields)
    problems = sorted([*whole, *problems], key=lambda problem: SEVERITIES.index(problem.severity))
    readable = all(problem.severity != "syntax" for problem in problems)
    position = examined.position
    placement = fields[0] if position else None
    return CheckResult(
        " ".join(examined.fields) if readable else None,
        tuple(problems),
        found.notes,
        tuple(_chain(examined.fields, problems, memory)),
        position.rights.dialect if position else "standard",
        placement,
    )


def check_board(board: str) -> tuple[Problem, ...]:
    """Judge a board alone, whichever side is to move: what no game can show, without cures.

    Parameters
    ----------
    board : str
        64 letters in FEN order.

    Returns
    -------
    tuple of Problem
        Those of severity 'illegal' that hold with either side to move, and the suspicions.

    >>> [problem.code for problem in check_board("k" + "." * 62 + "k")]
    ['kings-missing', 'kings-many']
    """
    judged = []
    men = place_men(board)
    for side in ("w", "b"):
        position = Position.of(board, men, side, "-", "-", (0, 1))
        judged.append([f for f in position_findings(position) if f.severity == "illegal"])
    turned = ("opponent-in-check", "impossible-check")
    findings = [f for f in judged[0] if f.code not in turned]
    if all(any(f.code in turned for f in side) for side in judged):
        findings += [f for f in judged[0] if f.code in turned]
    findings += suspicions(position, ("", "w", "-", "-", "0", "1"))
    return tuple(Problem(f.code, f.severity, f.field, f.squares, f.params) for f in findings)


# ---------------------------------------------------------------------------------------------------
# Examination


def _examine(fields: tuple[str, ...], memory: _Memory) -> _Examined:
    """Read six fields and judge the position, once for each text that is checked."""
    if fields not in memory:
        memory[fields] = _examined(fields)
    return memory[fields]


def _examined(fields: tuple[str, ...]) -> _Examined:
    board, faults = read_placement(fields[0])
    findings = _from_faults(faults, 0)
    men = place_men(board) if board else None
    side, faults = read_side(fields[1])
    findings += _from_faults(faults, 1)
    castling, faults = read_castling_field(fields[2], rights_possible(board) if board else None)
    findings += _from_faults(faults, 2)
    ep, faults = read_ep(fields[3], men, side)
    findings += _from_faults(faults, 3)
    halfmove, faults = read_counter(fields[4], "halfmove")
    findings += _from_faults(faults, 4)
    fullmove, faults = read_counter(fields[5], "fullmove")
    findings += _from_faults(faults, 5)
    position = None
    if board and men:
        position = Position.of(board, men, side, castling, ep, (halfmove, fullmove))
        findings += position_findings(position)
        findings += suspicions(position, fields)
    findings += _counters(halfmove, fullmove, side)
    return _Examined(fields, findings, position)


def _from_faults(faults: Iterable[Fault], at: int) -> list[Finding]:
    return [
        Finding(
            fault.code,
            "syntax",
            FIELD_NAMES[at],
            (),
            fault.params,
            [(code, {at: text}, params) for code, text, params in fault.proposals],
        )
        for fault in faults
    ]


def _counters(halfmove: int | None, fullmove: int | None, side: str | None) -> list[Finding]:
    """Note counters that real programs write though no game has them, and claims of a draw."""
    findings = []
    if halfmove is not None and fullmove and side:
        played = 2 * (fullmove - 1) + (side == "b")
        if halfmove > played:
            params = {"halfmove": halfmove, "fullmove": fullmove, "n": played}
            clamp = ("halfmove", {4: str(played)}, {"value": played})
            findings.append(Finding("clock-ahead", "note", "halfmove_clock", (), params, [clamp]))
    if halfmove is not None and halfmove >= 100:
        code = "seventy-five-moves" if halfmove >= 150 else "fifty-moves"
        findings.append(Finding(code, "note", "halfmove_clock", (), {"halfmove": halfmove}))
    return findings


# ---------------------------------------------------------------------------------------------------
# The text as a whole


def _resembles(fields: tuple[str, ...]) -> bool:
    """Tell whether fields can be those of a FEN, however faulty: by ranks, men, or the side to move."""
    placement = fields[0]
    slashes = placement.count("/")
    if slashes == 7 or fields[1:2] in (("w",), ("b",)):
        return True
    head = placement[:100]
    known = slashes + sum(letter in "PNBRQKpnbrqk12345678" for letter in head)
    if len(placement) > 7 or slashes > 3:
        if (2 if slashes > 1 else 1.1) * known >= len(head) or readings(placement):
            return True
        return any(fault.proposals for fault in read_placement(placement)[1])
    return False


def _nothing(found: Cleaned, text: str = "") -> CheckResult:
    """Answer a text that holds no FEN: nothing at all, a game, or something else."""
    shown = text.strip()
    params: dict[str, Any] = {"n": 0, "expected": 6}
    params["variant"] = "moves" if found.moves else "none" if shown else "empty"
    if shown:
        params["text"] = shown[:40] + "…" * (len(shown) > 40)
        params["example"] = START_FEN
    problems = [Problem("field-count", "syntax", None, (), params)]
    if found.controls:
        problems.insert(0, _controls(found.controls))
    return CheckResult(None, tuple(problems), tuple(note for note in found.notes if note["code"] != "url"))


def _controls(controls: str, fen: str = "") -> Problem:
    """Tell of control characters that were taken out; the FEN without them is the cure."""
    shown = " ".join([f"U+{ord(character):04X}" for character in dict.fromkeys(controls)][:8])
    params = {"characters": shown, "n": len(controls), "variant": "control"}
    fixes = _kept(Fix("drop-characters", fen, {"characters": shown}))
    return Problem("bad-char", "syntax", None, (), params, fixes)


def _whole_text(found: Cleaned, fields: tuple[str, ...]) -> list[Problem]:
    """Judge the number of fields, control characters, and whether the text is something else."""
    fen = " ".join(fields)
    problems = []
    if found.controls:
        problems.append(_controls(found.controls, fen))
    if found.moves:
        problems.append(Problem("moves-only", "note", None))
    if found.count > 6:
        params = {"n": found.count, "expected": 6, "text": found.extra[:40], "variant": "many"}
        problems.append(Problem("field-count", "syntax", None, (), params, _kept(Fix("drop-fields", fen))))
    elif found.count < 6 and not any(note["code"] == "epd" for note in found.notes):
        params = {"n": found.count, "expected": 6, "missing": list(FIELD_NAMES[found.count :])}
        fixes = [Fix("fill-fields", fen)]
        possible = START_FEN if fields[0] == START_FEN.split(" ", 1)[0] and found.count < 3 else None
        if possible:
            fixes.append(Fix("fill-fields-castling", " ".join([*fields[:2], "KQkq", *fields[3:]])))
        problems.append(Problem("field-count", "note", None, (), params, _kept(*fixes)))
    return problems


# ---------------------------------------------------------------------------------------------------
# Cures


def _kept(*fixes: Fix) -> tuple[Fix, ...]:
    """Keep the cures that are six fields as they stand: nothing in them would be cleaned away."""
    return tuple(fix for fix in fixes if _stands(tuple(fix.fen.split(" "))))


def _stands(fields: tuple[str, ...]) -> bool:
    """Tell whether six fields look like a FEN and are read as these six fields again."""
    if fields[0].count("/") < 4 or len(fields[0]) > 200:
        return False
    again = clean(" ".join(fields))
    return again.fields == fields and not again.notes and not again.controls and again.count == 6


def _problems(examined: _Examined, memory: _Memory) -> list[Problem]:
    """Turn findings into problems, with those of the proposed cures that hold."""
    told = examined.told()
    return [
        Problem(f.code, f.severity, f.field, f.squares, f.params, tuple(_cures(examined, told, f, memory)))
        for f in examined.findings
    ]


def _cures(
    examined: _Examined, told: set[tuple[str, str, str]], finding: Finding, memory: _Memory
) -> Iterable[Fix]:
    """Keep the cures that remove the finding and make none as bad."""
    seen = set()
    rank = SEVERITIES.index(finding.severity)
    for code, edits, params in finding.edits:
        fields = tuple(edits.get(at, text) for at, text in enumerate(examined.fields))
        if fields in seen or fields == examined.fields or not _stands(fields):
            continue
        seen.add(fields)
        after = _examine(fields, memory)
        worst = max(rank, SEVERITIES.index("illegal")) if finding.severity != "syntax" else 0
        fresh = {name for name in after.told() - told if SEVERITIES.index(name[1]) <= worst}
        if not fresh and not any(
            f.code == finding.code and f.severity == finding.severity for f in after.findings
        ):
            yield Fix(code, " ".join(fields), params)


def _chain(fields: tuple[str, ...], problems: list[Problem], memory: _Memory) -> Iterator[Fix]:
    """Follow cures, the first ones first, to a FEN without faults; offer it where that took several."""
    faulty = ("syntax", "illegal")
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, fields)]
    seen = {" ".join(fields)}
    for _ in range(_CHAIN):
        if not waiting:
            return
        step, fields = waiting.pop()
        examined = _examine(fields, memory)
        if step and not any(finding.severity in faulty for finding in examined.findings):
            if step > 1:
                yield Fix("repair", " ".join(fields), {"n": step})
            return
        known = _problems(examined, memory) if step else problems
        wrong = [problem for problem in known if problem.severity in faulty]
        if not wrong:
            return
        suspects = [problem for problem in known if problem.severity == "suspect"]
        cures = [fix for problem in (*wrong, *suspects) for fix in problem.fixes if fix.fen not in seen]
        for fix in reversed(cures[:3]):
            seen.add(fix.fen)
            waiting.append((step + 1, tuple(fix.fen.split(" "))))
