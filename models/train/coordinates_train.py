"""Train the network that reads printed coordinates: models/coordinates.npz, in a few minutes on two cores.

    python models/train/coordinates_train.py --out models/coordinates.npz [--fonts FOLDER …]

Needs torch and OpenCV (the `train` extra). The patches are drawn by coordinates_draw.py from the typefaces
of the system, or of the folders given; one typeface in twelve is kept for validation. What always holds:
seeded, and trained for a number of steps, not for a time, so that the same fonts give the same weights.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]
import coordinates_draw as draw

CHUNK = 5000
CHANNELS = (10, 20, 28, 36)
_FACES: list[draw.Face] = []
_MEN: list[np.ndarray] = []


def _chunk(task: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Draw one chunk of patches; the first chunk number is for validation, with its own typefaces."""
    seed, number = task
    chosen = [face for i, face in enumerate(_FACES) if (i % 12 == 5) == (number == 0)]
    drawer = draw.Drawer(np.random.default_rng([seed, number]), chosen, _MEN)
    drawn = [drawer.patch() for _ in range(CHUNK)]
    return np.stack([patch for patch, _ in drawn]), np.array([label for _, label in drawn], np.int64)


def network() -> nn.Sequential:
    """Return the network of `fen_core.coordinates`: four convolutions, a pool after the second and last."""
    a, b, c, d = CHANNELS
    return nn.Sequential(
        nn.Conv2d(1, a, 5, 2, 2),
        nn.ReLU(),
        nn.Conv2d(a, b, 3, 1, 1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(b, c, 3, 1, 1),
        nn.ReLU(),
        nn.Conv2d(c, d, 3, 2, 1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(d * 4, draw.NONE + 1),
    )


def normalise(patches: torch.Tensor) -> torch.Tensor:
    """Bring each patch to mean 0 and a standard deviation near 1, as the reader does."""
    x = patches.float()
    return ((x - x.mean((1, 2), keepdim=True)) / (x.std((1, 2), keepdim=True, correction=0) + 4))[:, None]


def export(model: nn.Sequential, path: Path) -> None:
    """Write the weights as float16, convolutions as (O, k·k·C) for channels last."""
    arrays: dict[str, np.ndarray] = {}
    convolutions = [layer for layer in model if isinstance(layer, nn.Conv2d)]
    for number, layer in enumerate(convolutions):
        weight = layer.weight.detach().permute(0, 2, 3, 1).reshape(layer.out_channels, -1)
        arrays[f"conv{number}_weight"] = weight.numpy().astype(np.float16)
        arrays[f"conv{number}_bias"] = layer.bias.detach().numpy().astype(np.float16)
    last = model[-1]
    # Torch flattens channels first; the reader flattens (row, column, channel).
    weight = (
        last.weight.detach().reshape(-1, CHANNELS[3], 2, 2).permute(0, 2, 3, 1).reshape(draw.NONE + 1, -1)
    )
    arrays["linear_weight"] = weight.numpy().astype(np.float16)
    arrays["linear_bias"] = last.bias.detach().numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)


def main() -> None:
    """Draw, train, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, nargs="*", default=[])
    parser.add_argument("--patches", type=int, default=300_000)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    files = draw.font_files(arguments.fonts)
    _FACES.extend(draw.faces(files))
    _MEN.extend(draw.pieces(draw.font_files([])) or draw.pieces(files))
    print(f"{len(_FACES)} typefaces, {len(_MEN)} men", flush=True)
    tasks = [(arguments.seed, number) for number in range(arguments.patches // CHUNK + 1)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        drawn = pool.map(_chunk, tasks, chunksize=1)
    check_x, check_y = (torch.from_numpy(part) for part in drawn[0])
    x = torch.from_numpy(np.concatenate([patches for patches, _ in drawn[1:]]))
    y = torch.from_numpy(np.concatenate([labels for _, labels in drawn[1:]]))
    print(f"{len(x)} patches drawn", flush=True)

    torch.manual_seed(arguments.seed)
    torch.set_num_threads(2)
    model = network()
    print(f"{sum(p.numel() for p in model.parameters())} parameters", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, arguments.steps, pct_start=0.08)
    for step in range(1, arguments.steps + 1):
        batch = torch.randint(len(x), (256,))
        loss = nn.functional.cross_entropy(model(normalise(x[batch])), y[batch], label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 1000 == 0 or step == arguments.steps:
            with torch.no_grad():
                right = model(normalise(check_x)).argmax(1) == check_y
            glyph = check_y != draw.NONE
            print(
                f"{step} loss {loss.item():.3f}, on typefaces kept apart: glyphs {right[glyph].float().mean():.3f}, "
                f"neither {right[~glyph].float().mean():.3f}",
                flush=True,
            )
    export(model.eval(), arguments.out)
    print(f"{arguments.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
