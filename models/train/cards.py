"""Writes EVALUATION.md, MODEL_CARD.md and DATA_CARD.md from measured figures and from sets.csv.

No number is typed by hand: the templates (templates/*.md) hold words, the figures come from ``measures``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fen_core.decode import UNSURE_BELOW
from fen_core.position import CLASSES
from models.train.artwork import HELD_OUT, read_sets
from models.train.measures import Readings, accuracy, confusion, reliability, risk_coverage

if TYPE_CHECKING:
    from models.train.evaluate import Refusals

HISTORY_HEAD = (
    "| date | weights | unseen NLL | unseen exact % | unseen ECE % | real exact % | real wrong "
    "| real flagged | real caught % | real silent % | note |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
)
# What `teach_eval` writes stands between these in both cards, and stays when the rest is written anew.
TEACHING = ("<!-- teaching: begin -->", "<!-- teaching: end -->")
Pictures = tuple[Readings, "Refusals", float]


def table(head: list[str], rows: list[list[object]]) -> str:
    """Return a Markdown table; floats with three significant figures."""

    def text(value: object) -> str:
        return f"{value:.3g}" if isinstance(value, float) and abs(value) < 100 else str(value)

    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(text(v) for v in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def accuracy_table(groups: list[tuple[str, Readings]]) -> str:
    """Return a table with a row for each group of boards."""
    head = [
        "boards",
        "n",
        "exact %",
        "wrong a board",
        "flagged a board",
        "caught %",
        "silent %",
        "NLL a square",
    ]
    rows: list[list[object]] = []
    for name, readings in groups:
        a = accuracy(readings)
        rows.append(
            [name, int(a["boards"])]
            + [round(a[k], 4) for k in ("exact", "wrong", "flagged", "caught", "silent", "nll")]
        )
    return table(head, rows)


def by_kind(readings: Readings) -> list[tuple[str, Readings]]:
    """Return the boards of each kind, then all of them."""
    return [(k, readings.of(k)) for k in sorted(set(readings.kinds))] + [("all", readings)]


def reliability_table(readings: Readings) -> str:
    """Return the reliability table of squares, in bins of equal mass."""
    _, bins = reliability(readings)
    return table(
        ["squares", "mean confidence", "share right"], [[n, round(c, 5), round(a, 5)] for n, c, a in bins]
    )


def risk_table(readings: Readings) -> str:
    """Return marked squares and risk for each threshold of doubt."""
    head = ["unsure below", "marked a board", "wrong squares marked %", "risk of the rest %"]
    return table(head, [[t, round(m, 3), round(c, 2), round(r, 4)] for t, m, c, r in risk_coverage(readings)])


def confusion_table(counts: NDArray[np.int64]) -> str:
    """Return the confusion matrix: rows what stands there, columns what was read."""
    names = [f"`{c}`" for c in CLASSES]
    return table(["", *names], [[names[i], *(int(v) for v in row)] for i, row in enumerate(counts)])


def _weights_of(out: Path) -> tuple[str, int, int]:
    """Return a short hash of the weights, their bytes, and how many numbers they hold."""
    data = (out / "squares.npz").read_bytes()
    with np.load(out / "squares.npz", allow_pickle=False) as arrays:
        numbers = sum(arrays[name].size for name in arrays.files)
    return hashlib.sha256(data).hexdigest()[:12], len(data), numbers


def _history(path: Path, row: str) -> str:
    """Return the table of measurements so far with one more row."""
    rows: list[str] = []
    if path.exists():
        rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| 20")]
    return HISTORY_HEAD + "\n".join([*rows, row]) + "\n"


def _tuning(before: Path | None) -> str:
    """Say which weights the figures on unseen families belong to."""
    if before is None:
        return ""
    earlier = hashlib.sha256(before.read_bytes()).hexdigest()[:12]
    return (
        "\nThese weights were tuned on every family at the end, the held-out ones too. What is said of\n"
        "families never trained on, and the temperature, is therefore from the weights before that,\n"
        f"`{earlier}`; the real pictures are read with the weights that ship.\n"
    )


def _template(name: str) -> str:
    return (Path(__file__).parent / "templates" / f"{name}.md").read_text(encoding="utf-8")


def _real_text(pictures: Pictures) -> str:
    readings, refusals, ms = pictures
    return accuracy_table(by_kind(readings)) + (
        f"\nOf {refusals.regions} regions of pictures without a diagram and of photos of real boards, "
        f"{refusals.refused} are refused by the reader alone, without the finder of boards. "
        f"Median time of a board, native: {ms:.0f} ms.\n"
    )


def evaluation(
    out: Path, unseen: Readings, seen: Readings, pictures: Pictures | None, note: str, before: Path | None
) -> str:
    """Return EVALUATION.md."""
    a, ece = accuracy(unseen), reliability(unseen)[0]
    figures = [f"{a['nll']:.4f}", f"{a['exact']:.1f}", f"{ece:.2f}"]
    if pictures:
        r = accuracy(pictures[0])
        keys = (("exact", 1), ("wrong", 3), ("flagged", 2), ("caught", 1), ("silent", 1))
        figures += [f"{r[key]:.{digits}f}" for key, digits in keys]
    else:
        figures += ["–"] * 5
    row = " | ".join(["", str(date.today()), f"`{_weights_of(out)[0]}`", *figures, note, ""]).strip()
    return _template("evaluation").format(
        unsure_below=UNSURE_BELOW,
        tuning=_tuning(before),
        history=_history(out / "EVALUATION.md", row),
        real=_real_text(pictures) if pictures else "Not measured in this run.\n",
        unseen=accuracy_table(by_kind(unseen)),
        seen=accuracy_table(by_kind(seen)),
        ece=f"{ece:.2f}",
        ece_seen=f"{reliability(seen)[0]:.2f}",
        reliability=reliability_table(unseen),
        risk=risk_table(unseen),
        risk_real=risk_table(pictures[0]) if pictures else "Not measured in this run.\n",
        confusion=confusion_table(confusion(unseen)),
    )


def model_card(
    out: Path, unseen: Readings, seen: Readings, pictures: Pictures | None, before: Path | None
) -> str:
    """Return MODEL_CARD.md."""
    weights, size, numbers = _weights_of(out)
    groups = [("real pictures, corners given", pictures[0])] if pictures else []
    groups += [
        ("drawn, harshly spoilt, families never trained on", unseen),
        ("the same, families trained on", seen),
    ]
    counts = confusion(unseen)
    np.fill_diagonal(counts, 0)
    worst = [np.unravel_index(k, counts.shape) for k in np.argsort(-counts, axis=None)[:8]]
    mistakes = [f"`{CLASSES[i]}` → `{CLASSES[j]}` {counts[i, j]}" for i, j in worst if counts[i, j]]
    return _template("model_card").format(
        date=date.today(),
        tuning=_tuning(before),
        weights=weights,
        bytes=f"{size:,}",
        numbers=f"{numbers:,}",
        accuracy=accuracy_table(groups),
        ece=f"{reliability(unseen)[0]:.2f}",
        nll=f"{accuracy(unseen)['nll']:.4f}",
        nll_seen=f"{accuracy(seen)['nll']:.4f}",
        mistakes=", ".join(mistakes) or "none",
    )


def data_card(data: Path) -> str:
    """Return DATA_CARD.md from sets.csv."""
    rows = sorted(read_sets(data), key=lambda r: r["name"])
    held = [r for r in rows if r["family"] in HELD_OUT]
    kinds = Counter(r["kind"] for r in rows)
    lines: list[list[object]] = [
        [
            r["name"],
            r["kind"],
            r["family"],
            "yes" if r["family"] in HELD_OUT else "",
            r["origin"],
            r["licence"].replace("|", "/"),
            r["obtainable_from_registry"],
        ]
        for r in rows
    ]
    return _template("data_card").format(
        sets=len(rows),
        families=len({r["family"] for r in rows}),
        kinds=", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())),
        registry=sum(r["obtainable_from_registry"] == "yes" for r in rows),
        held=len(held),
        held_families=len({r["family"] for r in held}),
        table=table(["set", "kind", "family", "held out", "origin", "licence", "registry"], lines),
    )


def teaching(text: str) -> str:
    """Return the section on teaching of an EVALUATION.md, '' where there is none."""
    begin, end = (text.find(mark) for mark in TEACHING)
    return text[begin : end + len(TEACHING[1])] + "\n" if 0 <= begin < end else ""


def with_teaching(text: str, section: str) -> str:
    """Return a card with this section on teaching, in the place of the one it has."""
    old = teaching(text)
    rest = text.replace(old, "") if old else text
    return rest.rstrip() + "\n\n" + section if section else text


def write(
    out: Path,
    data: Path,
    unseen: Readings,
    seen: Readings,
    pictures: Pictures | None,
    note: str,
    before: Path | None = None,
) -> None:
    """Write the three files into ``out``, where squares.npz lies."""
    report = out / "EVALUATION.md"
    kept = teaching(report.read_text(encoding="utf-8")) if report.exists() else ""
    report.write_text(
        with_teaching(evaluation(out, unseen, seen, pictures, note, before), kept), encoding="utf-8"
    )
    (out / "MODEL_CARD.md").write_text(
        with_teaching(model_card(out, unseen, seen, pictures, before), kept), encoding="utf-8"
    )
    (out / "DATA_CARD.md").write_text(data_card(data), encoding="utf-8")
