"""Trains the network that reads squares, for a given number of minutes, on boards from the ring.

    python -m models.train.train --data DATA --ring RING --out FOLDER --minutes 75 [--seed N]
                                 [--start OTHER --rate 0.0005]

The learning rate follows a cosine to the end of the time given.  FOLDER gets ``latest.pt`` every few minutes
(averaged weights, from which ``export`` makes the .npz at any time), ``held_out.npz`` (boards drawn from the
families that training never sees, made once) and ``log.csv``.  An interrupted run goes on from ``latest.pt``;
``--start`` tunes the averaged weights of another run further.
"""

from __future__ import annotations

import argparse
import copy
import csv
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from models.train.artwork import read_palette
from models.train.generate import Ring, held_out_sets, open_ring, samples
from models.train.net import CLASSES, SquareNet

BATCH = 16
PEAK_RATE = 2.5e-3
WEIGHT_DECAY = 0.02
WARM_UP_STEPS = 300
EMA_DECAY = 0.999
ALONE_WEIGHT = 0.5  # of the auxiliary loss
HELD_OUT_BOARDS = 256
HELD_OUT_SEED = 990_001
FIRST_FILL = 1500  # boards in the ring before training begins


@dataclass(frozen=True, slots=True)
class Boards:
    """Drawn boards kept for measuring."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]


def held_out_boards(data: Path, path: Path) -> Boards:
    """Return the boards of held-out families, drawn once and kept at ``path``."""
    if not path.exists():
        made = samples(HELD_OUT_SEED, held_out_sets(data), read_palette(data))
        pairs = [next(made) for _ in range(HELD_OUT_BOARDS)]
        np.savez(path, pictures=np.stack([p for p, _ in pairs]), labels=np.stack([q for _, q in pairs]))
    with np.load(path, allow_pickle=False) as kept:
        return Boards(kept["pictures"], kept["labels"].astype(np.int64))


def to_tensor(pictures: NDArray[np.uint8]) -> Tensor:
    """Return pictures (N, H, W, 3) as float (N, 3, H, W), channels last in memory."""
    return torch.from_numpy(pictures).float().permute(0, 3, 1, 2)


def draw_batch(ring: Ring, random: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return a batch from the ring, with the changes that cost nothing: a pixel's shift, mirror, channels."""
    places = np.sort(random.integers(0, ring.filled, BATCH))
    pictures, labels = ring.boards[places], ring.labels[places].astype(np.int64)
    if random.random() < 0.1:
        pictures = pictures[:, :, ::-1]
        labels = labels.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64)
    if random.random() < 0.2:
        pictures = pictures[..., random.permutation(3)]
    shift = tuple(int(s) for s in random.integers(-1, 2, 2))
    pictures = np.roll(pictures, shift, (1, 2))
    return to_tensor(np.ascontiguousarray(pictures)), torch.from_numpy(labels.copy())


def predict(net: SquareNet, pictures: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the logits (N, 64, 13) of both heads."""
    net.eval()
    both: tuple[list[Tensor], list[Tensor]] = ([], [])
    with torch.no_grad():
        for start in range(0, len(pictures), 16):
            for kept, logits in zip(both, net(to_tensor(pictures[start : start + 16])), strict=True):
                kept.append(logits)
    return torch.cat(both[0]).numpy(), torch.cat(both[1]).numpy()


def measure(net: SquareNet, boards: Boards) -> dict[str, float]:
    """Return mean loss a square, wrong squares and exact boards in percent, also without attention."""
    logits, alone = predict(net, boards.pictures)
    wrong, wrong_alone = logits.argmax(-1) != boards.labels, alone.argmax(-1) != boards.labels
    loss = F.cross_entropy(
        torch.from_numpy(logits).reshape(-1, CLASSES), torch.from_numpy(boards.labels).reshape(-1)
    )
    return {
        "loss": float(loss),
        "wrong": 100 * float(wrong.mean()),
        "exact": 100 * float((~wrong.any(1)).mean()),
        "wrong_alone": 100 * float(wrong_alone.mean()),
    }


def update_average(average: SquareNet, net: SquareNet, step: int) -> None:
    """Move the averaged network a little towards the one in training."""
    share = 1 - min(EMA_DECAY, 1 - 1 / (step / 3 + 1))
    with torch.no_grad():
        for kept, new in zip(average.parameters(), net.parameters(), strict=True):
            kept.lerp_(new, share)
        for kept, new in zip(average.buffers(), net.buffers(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(new, share)
            else:
                kept.copy_(new)


def save(path: Path, state: dict[str, object]) -> None:
    """Write a checkpoint so that a reader never sees half of one."""
    part = path.with_suffix(".part")
    torch.save(state, part)
    os.replace(part, path)


def optimiser(net: SquareNet) -> torch.optim.AdamW:
    """Return AdamW that decays matrices and leaves norms and biases alone."""
    matrices = [p for p in net.parameters() if p.ndim > 1]
    vectors = [p for p in net.parameters() if p.ndim <= 1]
    groups = [{"params": matrices, "weight_decay": WEIGHT_DECAY}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=PEAK_RATE)


def train(
    ring: Ring, held_out: Boards, out: Path, minutes: float, seed: int, peak: float, begin: Path | None = None
) -> None:
    """Train for this long and leave the last checkpoint in ``out``."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    net = SquareNet().to(memory_format=torch.channels_last)
    if begin is not None:
        net.load_state_dict(torch.load(begin / "latest.pt", weights_only=True)["average"])
    average, optimise = copy.deepcopy(net), optimiser(net)
    step, spent = 0, 0.0
    latest = out / "latest.pt"
    if latest.exists():
        state = torch.load(latest, weights_only=True)
        net.load_state_dict(state["net"])
        average.load_state_dict(state["average"])
        optimise.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["seconds"]
    limit, start, last_report = minutes * 60, time.monotonic() - spent, time.monotonic()
    losses: list[float] = []
    while True:
        elapsed = time.monotonic() - start
        rate = peak * min(1, (step + 1) / WARM_UP_STEPS)
        rate *= 0.015 + 0.985 * 0.5 * (1 + np.cos(np.pi * min(1, elapsed / limit)))
        for group in optimise.param_groups:
            group["lr"] = float(rate)  # a NumPy number would not load again without pickle
        pictures, labels = draw_batch(ring, random)
        net.train()
        logits, alone = net(pictures)
        loss = F.cross_entropy(logits.reshape(-1, CLASSES), labels.reshape(-1))
        both = loss + ALONE_WEIGHT * F.cross_entropy(alone.reshape(-1, CLASSES), labels.reshape(-1))
        optimise.zero_grad()
        both.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimise.step()
        step += 1
        update_average(average, net, step)
        losses.append(loss.item())
        done = elapsed >= limit
        if done or time.monotonic() - last_report > 240:
            last_report = time.monotonic()
            report = {
                "seconds": round(elapsed),
                "boards": step * BATCH,
                "made": int(ring.made[0]),
                "rate": rate,
            }
            report |= {"train_loss": float(np.mean(losses))} | measure(average, held_out)
            losses.clear()
            with open(out / "log.csv", "a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(report))
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(report)
            print(" ".join(f"{k} {v:.6g}" for k, v in report.items()), flush=True)
            state = {
                "net": net.state_dict(),
                "average": average.state_dict(),
                "optimiser": optimise.state_dict(),
            }
            save(latest, state | {"step": step, "seconds": elapsed})
        if done:
            return


def main() -> int:
    """Run the command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--ring", type=Path, required=True)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--minutes", type=float, default=75)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--start", type=Path, help="folder of another run, whose averaged weights to begin with")
    ask.add_argument("--rate", type=float, default=PEAK_RATE)
    given = ask.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    given.out.mkdir(parents=True, exist_ok=True)
    held_out = held_out_boards(given.data, given.out / "held_out.npz")
    ring = open_ring(given.ring)
    while ring.filled < FIRST_FILL:
        time.sleep(1)
    train(ring, held_out, given.out, given.minutes, given.seed, given.rate, given.start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
