"""Train the network that reads printed coordinates: models/coordinates.npz, in a few minutes on two cores.

    python models/train/coordinates_train.py --out models/coordinates.npz [--fonts FOLDER …]

Needs torch and OpenCV (the `train` extra). The patches are drawn by coordinates_draw.py from the typefaces
of the system, or of the folders given; one typeface in twelve is kept for validation. The weights that ship
saw 292 typefaces: DejaVu, Liberation and Noto, and Debian's fonts-freefont-ttf, -texgyre, -urw-base35,
-lato, -open-sans, -roboto-unhinted, -ebgaramond, -linuxlibertine, -crosextra-carlito, -crosextra-caladea,
-oldstandard, -inconsolata, -cantarell, -firacode, -comic-neue, -gfs-didot, -gfs-bodoni-classic, -quicksand,
-sil-gentium, -lmodern, -stix, -vollkorn, -fanwood, -play, -junction, -league-spartan, -jura, -hack,
-courier-prime, -inter, -opendin and -goudybookletter. What always holds: seeded, and trained for a number of
steps, not a time, so that the same fonts give the same patches and, but for rounding, the same weights.
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
import coordinates_draw as draw  # noqa: E402

CHUNK = 5000
BATCH = 128
FIRST_CYCLE = 1000  # steps
CHANNELS = (8, 16, 32, 40)  # multiples of eight: other widths train at half the speed
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
    """Return the network of `fen_core.coordinates`: four convolutions, a pool after the second and last.

    Batch normalisation makes it learn several times faster; `export` folds it into the convolutions.
    """
    a, b, c, d = CHANNELS

    def convolution(before: int, after: int, kernel: int, stride: int) -> list[nn.Module]:
        layer = nn.Conv2d(before, after, kernel, stride, kernel // 2, bias=False)
        return [layer, nn.BatchNorm2d(after), nn.ReLU()]

    return nn.Sequential(
        *convolution(1, a, 5, 2),
        *convolution(a, b, 3, 1),
        nn.MaxPool2d(2),
        *convolution(b, c, 3, 1),
        *convolution(c, d, 3, 2),
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
    layers = list(model)
    pairs = [(layer, layers[i + 1]) for i, layer in enumerate(layers) if isinstance(layer, nn.Conv2d)]
    for number, (layer, norm) in enumerate(pairs):
        gain = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
        weight = (layer.weight.detach() * gain[:, None, None, None]).permute(0, 2, 3, 1)
        arrays[f"conv{number}_weight"] = weight.reshape(layer.out_channels, -1).numpy().astype(np.float16)
        bias = norm.bias.detach() - norm.running_mean * gain
        arrays[f"conv{number}_bias"] = bias.numpy().astype(np.float16)
    last = model[-1]
    # Torch flattens channels first; the reader flattens (row, column, channel).
    weight = (
        last.weight.detach().reshape(-1, CHANNELS[3], 2, 2).permute(0, 2, 3, 1).reshape(draw.NONE + 1, -1)
    )
    arrays["linear_weight"] = weight.numpy().astype(np.float16)
    arrays["linear_bias"] = last.bias.detach().numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)


def train(
    x: torch.Tensor,
    y: torch.Tensor,
    check: tuple[torch.Tensor, torch.Tensor],
    cycles: int,
    seed: int,
    out: Path,
) -> None:
    """Train on patches x and labels y in cycles, each twice as long as the one before.

    The learning rate falls along a cosine and starts anew (Loshchilov and Hutter, *SGDR*, 2017), so that the
    weights written after every cycle are finished ones. `check` is reported on, and never learnt from.
    """
    torch.manual_seed(seed)
    model = network().to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in model.parameters())} parameters", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), 5e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimiser, FIRST_CYCLE, 2, 1e-5)
    ends = [FIRST_CYCLE * (2**cycle - 1) for cycle in range(1, cycles + 1)]
    for step in range(1, ends[-1] + 1):
        batch = torch.randint(len(x), (BATCH,))
        seen = normalise(x[batch]).contiguous(memory_format=torch.channels_last)
        loss = nn.functional.cross_entropy(model(seen), y[batch], label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 250 == 0:
            print(f"{step} loss {loss.item():.3f}", flush=True)
        if step in ends:
            report(model, *check)
            export(model, out)
    print(f"{out.stat().st_size} bytes")


def report(model: nn.Sequential, patches: torch.Tensor, labels: torch.Tensor) -> None:
    """Print the share of patches named rightly."""
    model.eval()
    with torch.no_grad():
        right = model(normalise(patches)).argmax(1) == labels
    model.train()
    for name, of in (("glyphs", labels != draw.NONE), ("neither", labels == draw.NONE)):
        print(f"of {name} in typefaces kept apart {right[of].float().mean():.3f} named rightly", flush=True)


def main() -> None:
    """Draw, train, report, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fonts", type=Path, nargs="*", default=[])
    parser.add_argument("--patches", type=int, default=200_000)
    parser.add_argument("--cycles", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
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

    torch.set_num_threads(arguments.threads)
    train(x, y, (check_x, check_y), arguments.cycles, arguments.seed, arguments.out)


if __name__ == "__main__":
    main()
