"""The `read` command from outside: what it prints, how it ends, and what one bad file does to the rest."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import sys
from types import SimpleNamespace

import pytest
from draw import THEMES, board, draw_negative, framed, highlighted
from PIL import Image

from fen_core.__main__ import main
from fen_core.pdf import is_pdf, pages
from fen_core.position import SQUARE_NAMES
from fen_core.words import Words

PLACEMENT = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"


def encoded(pixels) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def diagram() -> bytes:
    return encoded(
        framed(board(PLACEMENT, square_px=44, theme=THEMES["wood"], style="shapes"), "coordinates").pixels
    )


@pytest.fixture
def folder(tmp_path, diagram):
    (tmp_path / "a.png").write_bytes(diagram)
    (tmp_path / "b.png").write_bytes(b"this is a text")
    (tmp_path / "c.png").write_bytes(encoded(draw_negative("text", random.Random(2)).pixels))
    (tmp_path / "notes.txt").write_text("not a picture, and not looked at")
    return tmp_path


def test_json_follows_the_contract_and_a_bad_file_spoils_nothing(folder, capsys):
    assert main(["read", "--json", str(folder)]) == 1
    good, bad, empty = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert good["file"] == str(folder / "a.png")
    assert good["error"] is None
    assert good["ms"] > 0
    (found,) = good["boards"]
    assert found["placement"] == PLACEMENT == found["fen"].split()[0]
    assert [square["square"] for square in found["squares"]] == list(SQUARE_NAMES)
    assert {"piece", "probability", "unsure", "alternatives"} <= set(found["squares"][0])
    assert set(found["fields"]) == {
        "side_to_move", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number",
    }  # fmt: skip
    assert all(f["provenance"] in {"read", "inferred", "assumed"} for f in found["fields"].values())
    assert found["orientation"]["bottom"] == "white"
    assert len(found["corners"]) == 4
    assert bad["error"]["code"] == "image-unknown"
    assert bad["error"]["message"]
    assert (empty["boards"], empty["error"]) == ([], None)


def test_exit_status_is_0_where_every_picture_gave_a_board(folder, capsys):
    assert main(["read", "--json", str(folder / "a.png")]) == 0
    assert main(["read", str(folder / "c.png")]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["read"],
        ["read", "--corners", "1,1 2,2", "x.png"],
        ["read", "--corners", "a b c d", "x.png"],
        ["read", "--corners", "0,0 9,0 9,9 0,9", "x.png", "y.png"],
        ["read", "--orientation", "left", "x.png"],
        ["read", "--resume", "x.png"],
        ["read", "--pages", "0", "x.png"],
        ["nonsense"],
        ["n" * 400],  # too long for the name of a file
        [],
    ],
)
def test_misuse_ends_with_2_and_words(arguments, capsys):
    try:
        status = main(arguments)
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert capsys.readouterr().err


def test_corners_and_orientation_of_a_person_win(folder, capsys):
    path = str(folder / "a.png")
    main(["read", "--json", path])
    corners = json.loads(capsys.readouterr().out)["boards"][0]["corners"]
    given = " ".join(f"{x + 1.5},{y - 1}" for x, y in corners)
    assert main(["read", "--json", "--corners", given, "--orientation", "black", path]) == 0
    found = json.loads(capsys.readouterr().out)["boards"][0]
    assert found["corners"] == [pytest.approx([x + 1.5, y - 1], abs=0.01) for x, y in corners]
    assert found["orientation"] == {
        "bottom": "black", "probability": 1.0, "evidence": [{"kind": "user", "side": "black"}],
    }  # fmt: skip
    assert found["placement"] == "/".join(rank[::-1] for rank in PLACEMENT.split("/")[::-1])
    main(["read", "--json", "--snap", "--corners", given, path])
    snapped = json.loads(capsys.readouterr().out)["boards"][0]
    assert snapped["snapped"] is True
    assert snapped["corners"] == [pytest.approx(corner, abs=0.5) for corner in corners]


def test_other_forms(folder, capsys):
    path = str(folder / "a.png")
    assert main(["read", "--pgn", path]) == 0
    assert f'[FEN "{PLACEMENT} w - - 0 1"]' in capsys.readouterr().out
    assert main(["read", "--epd", "--castling", "possible", path]) == 0
    assert f"{PLACEMENT} w KQkq - hmvc 0;" in capsys.readouterr().out
    assert main(["read", "--csv", str(folder)]) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert "b.png" in captured.err


def test_odd_names_spoil_no_export(tmp_path, diagram, capsys, monkeypatch):
    names = ["=1+1.png", "-dash.png", 'a "b" ]\\.png', "two\nlines.png", "♞😀.png", os.fsdecode(b"\xff.png")]
    for name in names:
        (tmp_path / name).write_bytes(diagram)
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out.txt"

    def written(form, *more):
        assert main(["read", f"--{form}", "--output", str(out), *more, "--", *names]) == 0
        return out.read_bytes().decode("utf-8")

    lines = written("json").splitlines(keepends=True)
    assert [json.loads(line)["file"] for line in lines] == names
    out.write_bytes("".join(lines[:-1]).encode("utf-8"))
    assert written("json", "--resume").splitlines(keepends=True)[:-1] == lines[:-1]
    rows = list(csv.reader(io.StringIO(written("csv"), newline="")))
    assert [row[0] for row in rows[1:]] == ["'=1+1.png", "'-dash.png", *names[2:5], "\\udcff.png"]
    assert all(re.fullmatch(r'[^"]* id "[^"\\]*";', line) for line in written("epd").splitlines()[:5])
    tags = [line for line in written("pgn").splitlines() if line.startswith("[Event")]
    assert len(tags) == len(names)
    assert all(re.fullmatch(r'\[Event "(?:[^"\\]|\\["\\])*"\]', tag) for tag in tags[:5])
    capsys.readouterr()


@pytest.mark.parametrize("language", ["en", "el", "vi", "gu", "pt-BR", "bn"])
def test_people_get_a_board_and_words_without_gaps(folder, capsys, language):
    main(["read", "--lang", language, str(folder)])
    said = capsys.readouterr().out
    assert f"{PLACEMENT} w - - 0 1" in said
    assert "8  r  .  b  q" in said
    assert "{" not in said
    assert "cli." not in said


def test_standard_input(monkeypatch, diagram, capsys):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(diagram)))
    assert main(["read", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == "-"


def test_a_missing_file_is_an_error_of_that_file(tmp_path, capsys):
    assert main(["read", "--json", str(tmp_path / "none.png")]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "file-unreadable"


def test_pages_of_a_pdf_are_read_one_by_one(tmp_path, diagram, capsys):
    pytest.importorskip("pypdfium2")
    sheet = Image.open(io.BytesIO(diagram)).convert("RGB")
    book = tmp_path / "book.pdf"
    sheet.save(book, "PDF", save_all=True, append_images=[sheet, Image.new("RGB", sheet.size, "white")])
    assert is_pdf(book.read_bytes())
    assert main(["read", "--json", str(book)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["page"] for answer in answers] == [1, 2, 3]
    assert [len(answer["boards"]) for answer in answers] == [1, 1, 0]


def test_a_damaged_pdf_has_a_code():
    pytest.importorskip("pypdfium2")
    from fen_core.errors import ImageError

    with pytest.raises(ImageError) as caught:
        next(pages(b"%PDF-1.7 and nothing else"))
    assert caught.value.code == "pdf-damaged"


def test_only_the_pages_that_are_asked_for_are_read(tmp_path, diagram, capsys):
    pytest.importorskip("pypdfium2")
    sheet = Image.open(io.BytesIO(diagram)).convert("RGB")
    book = tmp_path / "book.pdf"
    sheet.save(book, "PDF", save_all=True, append_images=[sheet] * 5)
    assert main(["read", "--pgn", "--pages", "2, 5-", str(book)]) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[Event")]
    assert titles == [f'[Event "book.pdf, page {page}, diagram 1"]' for page in (2, 5, 6)]
    assert main(["read", "--pages", "last", str(book)]) == 2
    assert "last" in capsys.readouterr().err


def test_pages_that_a_file_does_not_have_are_told(tmp_path, diagram, capsys):
    pytest.importorskip("pypdfium2")
    sheet = Image.open(io.BytesIO(diagram)).convert("RGB")
    book = tmp_path / "book.pdf"
    sheet.save(book, "PDF", save_all=True, append_images=[sheet])
    assert main(["read", "--json", "--pages", "3-", str(book)]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["params"]) == ("pages-beyond", {"n": 2})


@pytest.mark.parametrize(("name", "code"), [("*.nothing", "pattern-empty"), ("x" * 300, "file-unreadable")])
def test_names_that_lead_nowhere_are_errors_of_their_kind(tmp_path, capsys, name, code):
    assert main(["read", "--json", str(tmp_path / name)]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_people_are_told_why_a_side_is_to_move(tmp_path, capsys):
    drawn = board(PLACEMENT, 40, THEMES["brown"])
    path = tmp_path / "a.png"
    highlighted(drawn, [(4, 6), (4, 4)]).image.save(path)
    main(["read", "--json", str(path)])
    field = json.loads(capsys.readouterr().out)["boards"][0]["fields"]["side_to_move"]
    assert main(["read", "--lang", "el", str(path)]) == 0
    words, (evidence,) = Words("el"), field["evidence"]
    assert words.text(f"evidence.{evidence['kind']}", evidence) in capsys.readouterr().out


def test_a_run_that_was_broken_off_goes_on(tmp_path, diagram, capsys):
    for number in (1, 2, 10):
        (tmp_path / f"scan{number}.png").write_bytes(diagram + bytes([number]))
    (tmp_path / "again.png").write_bytes(diagram + bytes([1]))
    out = tmp_path / "out.jsonl"
    pattern = str(tmp_path / "**" / "*.png")
    assert main(["read", "--json", "--output", str(out), pattern]) == 0
    whole = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["file"].rpartition("/")[2].rpartition("\\")[2] for line in whole] == [
        "again.png", "scan1.png", "scan2.png", "scan10.png",
    ]  # fmt: skip
    assert [line.get("same_as", "").endswith("again.png") for line in whole] == [False, True, False, False]
    # the machine stopped in the middle of the third line, or something else has written one of its own
    lines = out.read_bytes().splitlines(keepends=True)
    for third in (lines[2][:50], json.dumps({"file": whole[2]["file"]}).encode() + b"\n"):
        out.write_bytes(b"".join(lines[:2]) + third)
        capsys.readouterr()
        assert main(["read", "--json", "--output", str(out), "--resume", pattern]) == 0
        again = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert [line["file"] for line in again] == [line["file"] for line in whole]
        assert len(capsys.readouterr().err.splitlines()) == 2
    # what stands before the break is known by its bytes when the run goes on
    out.write_bytes(lines[0])
    assert main(["read", "--json", "--output", str(out), "--resume", pattern]) == 0
    again = [json.loads(line).get("same_as") for line in out.read_text("utf-8").splitlines()]
    assert again == [line.get("same_as") for line in whole]
    assert main(["read", "--json", "--output", str(tmp_path / "no" / "such.jsonl"), pattern]) == 2


def test_no_file_is_lost_to_the_output(tmp_path, diagram, capsys):
    """Neither a picture that is to be read, nor notes that some other tool has written."""
    picture, notes = tmp_path / "own.png", tmp_path / "notes.txt"
    picture.write_bytes(diagram)
    for given in (str(picture), str(tmp_path), str(tmp_path / "*.png")):
        assert main(["read", "--csv", "--output", str(picture), given]) == 2
        assert "one of the files to read" in capsys.readouterr().err
    assert main(["teach", str(picture), "--fen", "8/8/8/8/8/8/8/K1k5", "--out", str(picture)]) == 2
    assert picture.read_bytes() == diagram
    for text in ("my notes\nsecond line\n", "my notes", '{"other": 1}\n'):
        notes.write_text(text, encoding="utf-8")
        assert main(["read", "--json", "--resume", "--output", str(notes), str(picture)]) == 2
        assert notes.read_text("utf-8") == text
    notes.write_bytes(b"")
    assert main(["read", "--json", "--resume", "--output", str(notes), str(picture)]) == 0


def test_the_same_position_is_named_in_the_table(tmp_path, diagram, capsys):
    (tmp_path / "a.png").write_bytes(diagram)
    (tmp_path / "b.png").write_bytes(diagram + b"\0")
    assert main(["read", "--csv", str(tmp_path)]) == 0
    header, first, second = capsys.readouterr().out.splitlines()
    assert header.endswith(",same_as")
    assert first.endswith(",")
    assert second.endswith(',"a.png, diagram 1"')


def test_info_names_versions(capsys):
    assert main(["info"]) == 0
    assert "fen_core" in capsys.readouterr().out


def test_a_folder_without_pictures_says_so(tmp_path, capsys):
    assert main(["read", "--json", str(tmp_path)]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "folder-empty"


def test_snapping_needs_corners(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["read", "--snap", "x.png"])
    assert ended.value.code == 2
