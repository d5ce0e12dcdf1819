"""Pictures of invitations, drawn from covers and fonts of the page."""

import io
from pathlib import Path
from shutil import copy

import pytest
from PIL import Image

from service.http.pictures import BAND, SIZE, Pictures

WEB = Path(__file__).parents[3] / "web"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    for folder, source in (("pictures", "public/pictures"), ("assets", "src/ui/fonts")):
        (tmp_path / folder).mkdir()
        for file in (WEB / source).iterdir():
            copy(file, tmp_path / folder)
    return tmp_path


def band(picture: bytes) -> bytes:
    with Image.open(io.BytesIO(picture)) as image:
        return image.crop(BAND).tobytes()


def test_a_picture_has_the_size_that_messengers_show(dist):
    drawn = Pictures(dist).draw("submarine", "Submarine", "3 players")
    with Image.open(io.BytesIO(drawn)) as image:
        assert (image.format, image.size) == ("JPEG", SIZE)


def test_every_letter_of_czech_is_drawn(dist):
    pictures = Pictures(dist)
    letters = "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"
    bands = {band(pictures.draw("submarine", "Hra", letter)) for letter in letters}
    assert len(bands) == len(letters)


@pytest.mark.parametrize("title", ["Игра", "遊戲"])
def test_words_that_the_fonts_lack_leave_the_cover_as_it_is(dist, title):
    cover = (dist / "pictures" / "submarine.jpg").read_bytes()
    assert Pictures(dist).draw("submarine", title, "3 players") == cover


def test_a_long_title_stays_inside(dist):
    drawn = Pictures(dist).draw("submarine", "Mnoho dlouhých slov v názvu", "x")
    with Image.open(io.BytesIO(drawn)) as image:
        right = image.crop((SIZE[0] - 40, BAND[1] + 10, *SIZE)).convert("L")
        assert max(right.tobytes()) < 80


def test_a_game_without_a_cover_has_no_picture(dist):
    assert not Pictures(dist).has("chess")
