"""Every kind of degradation: gentle ones are read to the last square, harsh ones never wrong in silence."""

from __future__ import annotations

import numpy as np
import pytest
from golden.degraded import GENTLE, HARSH
from golden.outcomes import outcome

SEEDS = 20
GENTLE_EXACT = 0.9  # share of the gentle pictures read to the last square,
EACH_EXACT = 0.75  # and of those of every gentle kind
CAUGHT = 0.85  # share of the wrong squares that are marked, over all kinds
SILENT = 0.015  # share of the pictures with wrong squares, none of them marked
MAY_BE_MISSED = {"far_out_of_focus"}  # a board that is not found is no reading that is wrong in silence
GRID_ERROR = 0.06  # squares, by which corners set by hand may be off


@pytest.mark.parametrize("kind", sorted(GENTLE))
def test_everyday_degradation_is_read_to_the_last_square(kind):
    assert outcome(kind, 0).exact


@pytest.mark.parametrize("kind", sorted(HARSH))
def test_what_is_hard_to_read_is_never_wrong_in_silence(kind):
    seen = outcome(kind, 0)
    assert seen.found or kind in MAY_BE_MISSED
    assert not seen.silent


@pytest.mark.parametrize("kind", ["any_colours", "hatched_page", "jpeg"])
def test_corners_a_sixteenth_of_a_square_off_do_no_harm(kind):
    assert outcome(kind, 1, GRID_ERROR).exact


@pytest.mark.long
def test_the_whole_table_of_degradations(capsys):
    table = {kind: [outcome(kind, seed) for seed in range(SEEDS)] for kind in (*GENTLE, *HARSH)}
    table["grid_error"] = [outcome(kind, seed, GRID_ERROR) for kind in GENTLE for seed in range(2)]
    with capsys.disabled():
        print(f"\n{'kind':24}{'n':>4}{'found':>7}{'exact':>7}{'wrong':>7}{'marked':>8}{'silent':>8}")
        for kind, seen in table.items():
            sums = [sum(o.found for o in seen), sum(o.exact for o in seen), sum(o.wrong for o in seen)]
            sums += [sum(o.marked for o in seen), sum(o.silent for o in seen)]
            print(f"{kind:24}{len(seen):4}{sums[0]:7}{sums[1]:7}{sums[2]:7}{sums[3]:8}{sums[4]:8}")
    for kind in (*GENTLE, "grid_error"):
        assert np.mean([o.exact for o in table[kind]]) >= EACH_EXACT, kind
    assert np.mean([o.exact for kind in GENTLE for o in table[kind]]) >= GENTLE_EXACT
    everything = [o for seen in table.values() for o in seen]
    wrong, marked = (sum(getattr(o, name) for o in everything) for name in ("wrong", "marked"))
    assert marked >= CAUGHT * wrong
    assert sum(o.silent for o in everything) <= SILENT * len(everything)
