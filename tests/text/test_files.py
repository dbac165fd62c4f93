"""a file's name -> its bytes, decompressed."""

import gzip
import lzma
import shutil
import subprocess
from functools import partial

import pytest
from backports import zstd

from regard.errors import CorpusError, DiskError
from regard.text.files import bare_name, compressed, open_bytes
from regard.text.lines import read_lines

TEXT = "".join(f"line {n} \u2028 ö\n" for n in range(20_000)).encode()
PACK = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": partial(zstd.compress, options={zstd.CompressionParameter.checksum_flag: 1}),
}
PROGRAMS = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}


def read(path) -> bytes:
    with open_bytes(path) as file:
        return file.read()


@pytest.fixture(params=PACK)
def ending(request):
    return request.param


@pytest.fixture
def path(tmp_path, ending):
    return tmp_path / f"text.en{ending}"


def test_what_was_compressed_is_read(path, ending):
    path.write_bytes(PACK[ending](TEXT))
    assert read(path) == TEXT
    assert "".join(f"{line}\n" for line in read_lines(path)).encode() == TEXT
    assert bare_name(path).name == "text.en"


def test_another_programs_file_is_read(path, ending, tmp_path):
    program = shutil.which(PROGRAMS[ending])
    if not program:
        pytest.skip(f"there is no {PROGRAMS[ending]} here")
    with path.open("wb") as file:
        subprocess.run([program, "-c"], input=TEXT, stdout=file, check=True)
    assert read(path) == TEXT


@pytest.mark.parametrize("between", [b"", b"\0" * 4, b"\0" * 100_000], ids=len)
def test_all_members_are_read(path, ending, between):
    members = [TEXT[:1000], b"", TEXT[1000:]]
    path.write_bytes(between.join(map(PACK[ending], members)) + between)
    assert read(path) == TEXT


@pytest.mark.parametrize("cut", [0, 5, 0.5, -9, -1])
def test_a_file_that_breaks_off_is_an_error(path, ending, cut):
    whole = PACK[ending](TEXT)
    path.write_bytes(whole[: int(len(whole) * cut) if isinstance(cut, float) else cut])
    with pytest.raises(CorpusError, match=r"text\.en.* breaks off after [0-9,]+ bytes"):
        read(path)


def test_a_second_member_that_breaks_off_is_an_error(path, ending):
    path.write_bytes(PACK[ending](TEXT) + PACK[ending](TEXT)[:-3])
    with pytest.raises(CorpusError, match="breaks off"):
        read(path)


@pytest.mark.parametrize("junk", [b"junk", b"\0\0junk", b"x"])
def test_something_else_after_the_end_is_an_error(path, ending, junk):
    path.write_bytes(PACK[ending](TEXT) + junk * 20)
    with pytest.raises(CorpusError, match="is not whole"):
        read(path)


@pytest.mark.parametrize("place", [2, 0.3, 0.9])
def test_a_damaged_file_is_an_error(path, ending, place):
    content = bytearray(PACK[ending](TEXT))
    where = int(place * len(content)) if isinstance(place, float) else place
    content[where : where + 8] = bytes(byte ^ 0xFF for byte in content[where : where + 8])
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=r"text\.en"):
        read(path)


def test_plain_text_under_a_compressed_name_is_an_error(path):
    path.write_bytes(b"just text\n" * 9)
    with pytest.raises(CorpusError, match="the name that it should have"):
        read(path)


def test_what_inflates_absurdly_is_an_error_before_it_fills_the_memory(path, ending):
    pack = {".gz": gzip.GzipFile, ".xz": lzma.LZMAFile, ".zst": zstd.ZstdFile}[ending]
    with pack(path, "wb") as file:
        for _ in range(40):
            file.write(bytes(1 << 20))
    with pytest.raises(CorpusError, match="more than 200 times its size"):
        read(path)


def test_a_small_file_of_much_the_same_is_no_bomb(path, ending):
    text = b"the cat sleeps\n" * 100_000
    path.write_bytes(PACK[ending](text))
    assert read(path) == text


def test_compressed_data_under_a_plain_name_says_its_name(tmp_path, ending):
    path = tmp_path / "text"
    path.write_bytes(PACK[ending](TEXT))
    with pytest.raises(CorpusError, match=f"give it a name that ends in {ending}"):
        list(read_lines(path))


@pytest.mark.parametrize("ending", [".gz", ".zst", ""])
def test_what_is_written_is_compressed_by_its_name(tmp_path, ending):
    path = tmp_path / f"text{ending}"
    with path.open("wb") as raw, compressed(raw, path) as file:
        for start in range(0, len(TEXT), 100_000):
            file.write(TEXT[start : start + 100_000])
            file.flush()
    assert read(path) == TEXT
    assert (path.stat().st_size < len(TEXT) / 2) == bool(ending)


def test_xz_is_read_only(tmp_path):
    path = tmp_path / "text.xz"
    with (
        path.open("wb") as raw,
        pytest.raises(DiskError, match=r"name it \.gz or \.zst"),
        compressed(raw, path),
    ):
        pass
