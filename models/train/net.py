"""The network that reads the 64 squares of one board, in torch, for training.

``fen_core.classify`` runs the same forward pass in NumPy from the arrays that ``export`` writes.
A small convolutional trunk runs once over the whole rectified board, so that a square sees its neighbours;
then every square becomes one vector, and two attention blocks let the squares of a board explain each other:
one print draws a piece the same way every time.  No position code: where a piece stands must not decide
what it is.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SQUARE_PX = 32
MARGIN_PX = 16
SIDE_PX = 8 * SQUARE_PX + 2 * MARGIN_PX
CLASSES = 13


class ConvBlock(nn.Module):
    """Convolution, batch norm, ReLU; the norm is folded into the convolution at export."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, padding: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, C, H, W) to (N, outputs, H', W')."""
        return F.relu(self.norm(self.conv(x)), inplace=True)


class SquareAttention(nn.Module):
    """One pre-norm transformer block over the 64 squares of a board.

    In training the whole block is skipped for a share of the boards (``drop``), so that a square must
    also be readable by itself: without that, one misreading is carried to every like square.
    """

    def __init__(self, width: int, heads: int, hidden: int, drop: float) -> None:
        super().__init__()
        self.heads, self.drop = heads, drop
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x: Tensor) -> Tensor:
        """Map (N, 64, width) to the same shape."""
        boards, squares, width = x.shape
        keep: Tensor | float = 1.0
        if self.training and self.drop:
            keep = (torch.rand(boards, 1, 1, device=x.device) >= self.drop).to(x.dtype)
        qkv = self.qkv(self.norm1(x)).view(boards, squares, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) / (width // self.heads) ** 0.5, dim=-1)
        x = x + keep * self.out((weights @ v).transpose(1, 2).reshape(boards, squares, width))
        return x + keep * self.down(F.relu(self.up(self.norm2(x))))


def normalise(boards: Tensor) -> Tensor:
    """Return boards (N, 3, 288, 288) of 0..255 with the board's own mean and spread taken out."""
    inner = boards[:, :, MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    mean = inner.mean((1, 2, 3), keepdim=True)
    spread = inner.std((1, 2, 3), keepdim=True, unbiased=False)
    return ((boards - mean) / (spread + 6.0)).clamp(-4.0, 4.0)


class SquareNet(nn.Module):
    """(N, 3, 288, 288) of 0..255 → logits (N, 64, 13), and those of an auxiliary head without attention."""

    def __init__(
        self,
        channels: tuple[int, int, int] = (16, 48, 80),
        residuals: int = 2,
        width: int = 144,
        blocks: int = 2,
        heads: int = 4,
        drop: float = 0.15,
    ) -> None:
        super().__init__()
        first, second, third = channels
        self.stem = nn.Sequential(
            ConvBlock(3, first, 5, 2, 2), ConvBlock(first, second, 3, 2, 1), ConvBlock(second, third, 3, 2, 1)
        )
        self.residuals = nn.ModuleList([ConvBlock(third, third, 3, 1, 1) for _ in range(residuals)])
        self.square = ConvBlock(third, width, 4, 4, 0)
        self.alone = nn.Linear(width, CLASSES)
        self.blocks = nn.ModuleList([SquareAttention(width, heads, width, drop) for _ in range(blocks)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, CLASSES)

    def forward(self, boards: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the squares, and those of the auxiliary head."""
        x = self.stem(normalise(boards))
        for block in self.residuals:
            x = x + block(x)
        x = x[:, :, 2:-2, 2:-2]  # the margin has told what it can
        squares = self.square(x).flatten(2).transpose(1, 2)
        alone = self.alone(squares)
        for block in self.blocks:
            squares = block(squares)
        return self.head(self.norm(squares)), alone
