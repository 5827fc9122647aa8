"""Measures teaching with the code that people run, and writes its section of EVALUATION.md.

    python -m models.train.teach_eval --data DATA [--weights WEIGHTS] [--real FOLDER] [--prints 60]

A print is one drawing style, one press and one camera: the generator's choices are held fixed while
positions, noise and the error of the corners change from board to board. Prints come from the piece families
that training never saw, so WEIGHTS must be from before a tuning on every family, where there was one. For
every print: two boards are corrected and four are read, before, after one and after two; then the four are
read with the profile of another print, used by hand, to see what a wrong choice costs. The tests' drawing kit
and FOLDER, labelled real pictures, are measured and never chosen by. Takes two or three minutes.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from fen_core import classify, teach
from fen_core.classify import Seen
from fen_core.decode import decode
from fen_core.fen import parse_placement
from fen_core.image import load
from fen_core.position import CLASSES
from fen_core.profile import Taught
from fen_core.rectify import square_corners
from models.train import positions, render
from models.train.artwork import ArtworkDraw, Palette, read_palette
from models.train.cards import TEACHING, table, with_teaching
from models.train.degrade import degrade
from models.train.evaluate import corners_of, weights
from models.train.generate import held_out_sets

SEED = 881_001
TAUGHT, READ = 2, 4
OTHERS = (1, 2, 5)  # whose profiles each print is read with, by distance in the list
ROOT = Path(__file__).resolve().parents[2]
Picture = NDArray[np.uint8]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Print:
    """Boards of one print, straightened, with what stands on them as seen; the first two are taught."""

    name: str
    boards: list[tuple[Picture, Labels]]


class FixedStyle:
    """A random source whose single draws come from one stream, and whose arrays come from another.

    What a press and a camera are is drawn number by number; what differs between two pictures of them (noise,
    the person's hand at the corners) is drawn in arrays.
    """

    def __init__(self, style: int, noise: int) -> None:
        self.style, self.noise = np.random.default_rng(style), np.random.default_rng(noise)

    def random(self, size: Any = None) -> Any:
        """Draw as NumPy's generator does."""
        return (self.style if size is None else self.noise).random(size)

    def uniform(self, low: float, high: float, size: Any = None) -> Any:
        """Draw as NumPy's generator does."""
        return (self.style if size is None else self.noise).uniform(low, high, size)

    def normal(self, mean: float, spread: float, size: Any = None) -> Any:
        """Draw as NumPy's generator does."""
        return (self.style if size is None else self.noise).normal(mean, spread, size)

    def standard_normal(self, size: Any, dtype: Any = np.float64) -> Any:
        """Draw as NumPy's generator does."""
        return self.noise.standard_normal(size, dtype=dtype)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.style, name)


def drawn_prints(data: Path, count: int, seed: int) -> Iterator[Print]:
    """Draw prints of held-out families, boards spoilt as training's are."""
    palette, draw = read_palette(data), ArtworkDraw(held_out_sets(data))
    while count:
        seed += 1
        found = _drawn(draw, palette, seed)
        if found:
            yield found
            count -= 1


def _drawn(draw: ArtworkDraw, palette: Palette, seed: int) -> Print | None:
    chance, boards, name = np.random.default_rng([seed, 1]), [], ""
    for k in range(TAUGHT + READ):
        if k < TAUGHT:  # what a person corrects first is a diagram of a game
            labels = positions.start_like(chance) if chance.random() < 0.25 else positions.chess_like(chance)
        else:
            labels = positions.draw_position(chance)
        with patch.object(render, "draw_position", lambda _, labels=labels: labels):
            clean = render.draw_board(np.random.default_rng(seed), draw, palette)
        cut = degrade(FixedStyle(seed, 1000 * seed + k), clean)  # type: ignore[arg-type]
        if cut is None:
            return None
        boards.append((cut, labels))
        name = f"{'screen' if clean.screen else 'print'}: {clean.artwork}"
    return Print(name, boards)


def kit_prints(count: int, seed: int) -> Iterator[Print]:
    """Draw prints with the tests' own kit: its men, its themes, blurred and noisy alike within a print."""
    sys.path.insert(0, str(ROOT / "tests"))
    from draw import STYLES, blurred, board, compressed, noisy, random_theme
    from draw.diagram import letters, random_placement

    for index in range(count):
        rng = random.Random(seed + index)
        theme, style, size = random_theme(rng), rng.choice(STYLES), rng.uniform(0.75, 0.95)
        blur, noise, quality = rng.uniform(0.3, 2.2), rng.uniform(2, 16), rng.randint(20, 80)
        boards = []
        for _ in range(TAUGHT + READ):
            placement = random_placement(rng, 12, 28)
            flat = board(placement, 36, theme, style=style, size=size, rng=random.Random(seed))
            spoilt = compressed(noisy(blurred(flat, blur), noise, rng), quality)
            cut = teach.straightened(np.asarray(spoilt.pixels), square_corners(8 * 36))
            boards.append((cut, np.array([CLASSES.index(letter) for letter in letters(placement)])))
        yield Print(style, boards)


def real_prints(folder: Path) -> tuple[list[Print], list[tuple[Picture, Labels]]]:
    """Return real prints with three boards and more, and every real board."""
    groups: dict[tuple[str, ...], list[tuple[Picture, Labels]]] = {}
    with open(folder / "labels.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["category"] in ("negative", "board3d") or not row["placement"].strip():
                continue
            picture = load((folder / row["file"]).read_bytes())
            flat = teach.straightened(picture, corners_of(row, picture))
            labels = np.array([CLASSES.index(m) for m in parse_placement(row["placement"].split()[0])])
            key = (row["category"], row["repo"], str(Path(row["path"]).parent))
            as_seen = labels[::-1] if row["orientation"] == "black" else labels
            groups.setdefault(key, []).append((flat, as_seen))
    prints = [Print(f"{key[0]}: {key[1]}", group) for key, group in groups.items() if len(group) > TAUGHT]
    return prints, [board for group in groups.values() for board in group]


@dataclass(slots=True)
class Score:
    """What came of reading boards one way."""

    boards: int = 0
    exact: int = 0
    wrong: int = 0
    marked: int = 0
    caught: int = 0
    used: int = 0
    nll: float = 0.0

    def add(self, probabilities: NDArray[np.float32], labels: Labels, used: bool) -> bool:
        """Count one board; return whether it was read right to the last square."""
        decoded = decode(probabilities)
        bad = np.array([CLASSES.index(piece) for piece in decoded.board64]) != labels
        self.boards += 1
        self.exact += not bad.any()
        self.wrong += int(bad.sum())
        self.marked += int(decoded.unsure.sum())
        self.caught += int((bad & decoded.unsure).sum())
        self.used += used
        self.nll -= float(np.log(np.maximum(probabilities[np.arange(64), labels], 1e-9)).mean())
        return not bad.any()

    def row(self, name: str) -> list[object]:
        """Return the row of the table."""
        n = max(1, self.boards)
        return [
            name,
            self.boards,
            round(100 * self.exact / n, 1),
            round(self.wrong / n, 2),
            round(self.marked / n, 2),
            round(100 * self.caught / self.wrong, 1) if self.wrong else "–",
            round(100 * self.used / n, 1),
            round(self.nll / n, 3),
        ]


HEAD = ["read", "boards", "exact %", "wrong a board", "marked a board", "caught %", "profile fits %", "NLL"]
Model = Any


def models_of(prints: Sequence[Print]) -> list[tuple[Model, Model]]:
    """Teach every print: from its first board, and from its first two."""
    taught = []
    for one in prints:
        boards = [
            Taught.of(board, "".join(CLASSES[c] for c in labels)) for board, labels in one.boards[:TAUGHT]
        ]
        taught.append(tuple(teach.learn("print", boards[:n]).model for n in (1, 2)))
    return taught


def measured(prints: Sequence[Print], taught: Sequence[tuple[Model, Model]]) -> tuple[str, list[str]]:
    """Read what was not taught in every way; return the table, and what is worth a sentence."""
    scores = [Score() for _ in range(5)]
    offered, offered_wrongly = [0, 0], [0, 0]
    likeness: dict[str, list[float]] = {"own": [], "other": []}
    for index, one in enumerate(prints):
        others = [taught[(index + shift) % len(prints)] for shift in OTHERS]
        for board, labels in one.boards[TAUGHT:]:
            seen = classify.read_straightened(board)
            scores[0].add(seen.probabilities, labels, used=False)
            ways = [(1, taught[index][0]), (2, taught[index][1])]
            ways += [(3 + boards, other[boards]) for other in others for boards in (0, 1)]
            for way, model in ways:
                adapted = teach.adapt(model, seen)
                scores[way].add(adapted.probabilities, labels, used=adapted.used)
            likeness["own"].append(_likeness(taught[index][1], seen, offered))
            likeness["other"] += [_likeness(other[1], seen, offered_wrongly) for other in others]
    names = (
        "before",
        "after one corrected board",
        "after two",
        "with profiles of other prints (one board each), used by hand",
        "the same (two boards each)",
    )
    rows = [score.row(name) for score, name in zip(scores, names, strict=True)]
    quantiles = {k: np.quantile(v, (0.05, 0.5, 0.95)) for k, v in likeness.items()}
    words = [
        f"After two boards a profile is offered on {100 * offered[0] / max(1, offered[1]):.0f} % of the "
        f"print's next boards, and on {100 * offered_wrongly[0] / max(1, offered_wrongly[1]):.1f} % of the "
        "boards of another print. Likeness (5 %, 50 %, 95 %): own "
        + ", ".join(f"{q:.2f}" for q in quantiles["own"])
        + "; other "
        + ", ".join(f"{q:.2f}" for q in quantiles["other"])
        + f"; a profile fits from {teach.LEAST_LIKENESS}, is offered from {teach.LEAST_RESEMBLANCE}."
    ]
    return table(HEAD, rows), words


def _likeness(model: Model, seen: Seen, offered: list[int]) -> float:
    alike = teach.likeness(model, seen)
    offered[0] += alike >= teach.LEAST_RESEMBLANCE
    offered[1] += 1
    return alike


def harm(boards: Sequence[tuple[Picture, Labels]], taught: Sequence[tuple[Model, Model]]) -> str:
    """Read every real board with profiles of drawn prints, none of which can be its own."""
    before, after, lost, won = Score(), Score(), 0, 0
    for index, (board, labels) in enumerate(boards):
        seen = classify.read_straightened(board)
        was_right = before.add(seen.probabilities, labels, used=False)
        for step in range(3):
            adapted = teach.adapt(taught[(3 * index + step) % len(taught)][1], seen)
            is_right = after.add(adapted.probabilities, labels, used=adapted.used)
            lost += was_right and not is_right
            won += is_right and not was_right
    rows = [before.row("without a profile"), after.row("each with three profiles of drawn prints")]
    return table(HEAD, rows) + f"\nOf {after.boards} readings {lost} were worse by it, {won} better.\n"


def write(path: Path, text: str) -> None:
    """Put the section into EVALUATION.md and the model card beside it, in the place of the one before."""
    begin, end = TEACHING
    card = path.with_name("MODEL_CARD.md")
    for file in (path, card) if card.exists() else (path,):
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        file.write_text(with_teaching(old, f"{begin}\n{text.rstrip()}\n{end}\n"), encoding="utf-8")


def _section(title: str, prints: list[Print], tell: Callable[[str], None]) -> list[tuple[Model, Model]]:
    taught = models_of(prints)
    shown, words = measured(prints, taught)
    tell(f"### {title}\n\n{shown}\n" + "".join(f"{sentence}\n" for sentence in words) + "\n")
    return taught


def main() -> int:
    """Run the command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--weights", type=Path, help="weights that never saw the held-out families")
    ask.add_argument("--real", type=Path)
    ask.add_argument("--prints", type=int, default=60)
    ask.add_argument("--out", type=Path, default=ROOT / "models" / "EVALUATION.md")
    given = ask.parse_args()
    cv2.setNumThreads(1)
    parts: list[str] = []

    def tell(text: str) -> None:
        parts.append(text)
        print(text, flush=True)

    with weights(given.weights):
        teach.network.cache_clear()
        used = teach.network()[:12]
        tell(
            "## Teaching a print\n\nWritten by `python -m models.train.teach_eval`, "
            f"{date.today()}, weights `{used}`. Boards are exact when every square is right; "
            "a profile that does not fit is not used.\n\n"
        )
        prints = list(drawn_prints(given.data, given.prints, SEED))
        taught = _section(f"{len(prints)} prints of families never trained on, harshly spoilt", prints, tell)
    teach.network.cache_clear()
    kit = list(kit_prints(given.prints // 2, SEED))
    _section(f"{len(kit)} prints of the tests' drawing kit, blurred, noisy; the weights that ship", kit, tell)
    if given.real:
        real, boards = real_prints(given.real)
        own = models_of(real)
        shown, words = measured(real, own)
        tell(f"### Real prints with three boards and more; the weights that ship\n\n{shown}\n{words[0]}\n\n")
        if not given.weights:
            tell(f"### Real boards with profiles of other prints\n\n{harm(boards, taught)}\n")
        else:
            tell(f"### Real boards with profiles of other prints\n\n{harm(boards, models_of(prints))}\n")
    write(given.out, "".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
