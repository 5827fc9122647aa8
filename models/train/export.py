"""Writes the weights that the reader uses, from the checkpoints of one run or several: models/squares.npz.

    python -m models.train.export --run FOLDER… [--calibrated WEIGHTS] [--out models/squares.npz]

Runs that began with the same weights are averaged, which reads unseen families better than either (Wortsman
et al., *Model soups*, 2022).

Batch norms are folded into their convolutions, kernels laid out (O, row · column · channel) as
``fen_core.net.conv2d`` wants them, arrays kept as float16.  The temperature (Guo et al., *On Calibration of
Modern Neural Networks*, 2017) is fitted on the first half of the boards drawn from held-out families;
``evaluate`` reports calibration on others.  Once a run has learnt every family, none is held out any more:
``--calibrated`` then takes the temperature of earlier weights.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.train.net import ConvBlock, SquareNet
from models.train.train import predict

Arrays = dict[str, NDArray[np.generic]]


def load_average(runs: list[Path]) -> SquareNet:
    """Return the averaged networks of the last checkpoints of these runs, averaged among them."""
    states = [torch.load(run / "latest.pt", weights_only=True)["average"] for run in runs]
    net = SquareNet()
    mean = {
        name: torch.stack([state[name] for state in states]).mean(0) if value.is_floating_point() else value
        for name, value in states[0].items()
    }
    net.load_state_dict(mean)
    return net.eval()


def _folded(block: ConvBlock) -> tuple[Tensor, Tensor]:
    """Return weight (O, k·k·C) and bias (O,) of a convolution with its batch norm folded in."""
    norm = block.norm
    assert norm.running_var is not None
    assert norm.running_mean is not None
    gain = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
    weight = block.conv.weight.double() * gain[:, None, None, None]
    bias = norm.bias.double() - norm.running_mean.double() * gain
    return weight.permute(0, 2, 3, 1).reshape(len(weight), -1), bias


def arrays_of(net: SquareNet, kind: type[np.floating[Any]] = np.float16) -> Arrays:
    """Return the network's arrays as the reader names them; the auxiliary head is left behind."""
    arrays: Arrays = {}

    def keep(name: str, value: Tensor) -> None:
        arrays[name] = value.detach().numpy().astype(kind)

    for name, module in net.named_modules():
        if isinstance(module, ConvBlock):
            weight, bias = _folded(module)
            keep(name + ".weight", weight)
            keep(name + ".bias", bias)
    for name, value in net.state_dict().items():
        if name.split(".")[0] in ("blocks", "norm", "head"):
            keep(name, value)
    return arrays


def fit_temperature(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """Return the temperature under which the labels are likeliest."""
    z, y = (
        torch.from_numpy(logits).double().reshape(-1, logits.shape[-1]),
        torch.from_numpy(labels).reshape(-1),
    )
    candidates = np.exp(np.linspace(np.log(0.5), np.log(3), 181))
    losses = [float(torch.nn.functional.cross_entropy(z / t, y)) for t in candidates]
    return float(candidates[int(np.argmin(losses))])


def main() -> int:
    """Run the command line."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--run", type=Path, required=True, nargs="+", help="folders of runs to average")
    ask.add_argument("--calibrated", type=Path, help="weights whose temperature is taken")
    ask.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "squares.npz")
    ask.add_argument("--size-limit", type=int, default=1_500_000)
    given = ask.parse_args()
    torch.set_num_threads(1)
    net = load_average(given.run)
    if given.calibrated:
        with np.load(given.calibrated, allow_pickle=False) as earlier:
            temperature = float(earlier["temperature"][0])
    else:
        with np.load(given.run[0] / "held_out.npz", allow_pickle=False) as kept:
            half = len(kept["labels"]) // 2
            pictures, labels = kept["pictures"][:half], kept["labels"][:half].astype(np.int64)
        temperature = fit_temperature(predict(net, pictures)[0], labels)
    arrays = arrays_of(net) | {"temperature": np.float32([temperature])}
    np.savez_compressed(given.out, **arrays)
    size = given.out.stat().st_size
    print(f"temperature {temperature:.3f}, {size} bytes")
    if size > given.size_limit:
        print("larger than the limit", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
