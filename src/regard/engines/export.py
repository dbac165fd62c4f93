"""a model with its pieces <-> a folder that CTranslate2 can run.

Beside CTranslate2's own files (model.bin, config.json, vocabularies) lie the pieces, for whoever
runs it without regard; export.json, which says what it was made from; and a manifest, so that the
folder is checked when it is read.
"""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regard.checkpoint import pieces_files, read, write
from regard.engines.specification import specification, the_engine
from regard.errors import CheckpointError
from regard.models.encoder_decoder import EncoderDecoder
from regard.text.pieces import Pieces

FOLDER = "ctranslate2"
"""What an export is called inside its run."""
ABOUT = "export.json"


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What an exported folder holds.

    Attributes:
        files: All its files.
        stored_as: How its parameters are stored.
        positions: How many places a sentence may have.
        digest: The sha256 of the parameters that it was made from.
    """

    files: Mapping[str, bytes]
    stored_as: str
    positions: int
    digest: str


def export(
    model: EncoderDecoder,
    source: Pieces,
    target: Pieces,
    *,
    stored_as: str,
    positions: int,
    digest: str,
) -> Exported:
    """A model for CTranslate2, and what it needs.

    Args:
        model: The model.
        source: The pieces of what it reads.
        target: The pieces of what it writes.
        stored_as: float32, int8, or another type of CTranslate2's.
        positions: How many places a sentence may have; no more than the model has learnt.
        digest: The sha256 of its parameters.

    Raises:
        RecipeError: CTranslate2 has no such model or type, or is not installed.
    """
    positions = min(positions, model.longest)
    spec = specification(model, source, target, positions=positions, stored_as=stored_as)
    with tempfile.TemporaryDirectory() as place:
        spec.save(place)
        files = {path.name: path.read_bytes() for path in Path(place).iterdir()}
    about = {"stored_as": stored_as, "positions": positions, "digest": digest}
    made_by = {"engine": f"ctranslate2 {the_engine().__version__}"}
    files[ABOUT] = (json.dumps(made_by | about, indent=2) + "\n").encode()
    return Exported(files=files | pieces_files(source, target), **about)


def save(folder: Path, exported: Exported) -> None:
    """Write it; an older export under the same name is replaced.

    Raises:
        DiskError: it could not be written.
    """
    write(folder, exported.files)


def load(folder: Path) -> Exported:
    """Read an exported folder whose every file is what its manifest says.

    Raises:
        CheckpointError: there is none, or it is damaged.
    """
    if not (folder / ABOUT).exists():
        raise CheckpointError(
            f"{folder} is not there; make it: regard export {folder.parent} --to ctranslate2"
        )
    files = read(folder)
    try:
        about = json.loads(files[ABOUT])
        del about["engine"]
        return Exported(files=files, **about)
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{folder} cannot be read: {error}; export it again") from None
