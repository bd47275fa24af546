"""Problems with an upload, with advice for its author."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class PackageProblem(StrEnum):
    """Why an upload is refused before any of it runs."""

    EMPTY = "empty"  # no bytes, or only whitespace
    TOO_LARGE = "too_large"  # the uploaded file itself
    NOT_PYTHON = "not_python"  # recognized as something else
    NOTEBOOK = "notebook"  # a Jupyter notebook
    NUL_BYTES = "nul_bytes"  # which no source file contains
    WRONG_ENCODING = "wrong_encoding"  # not UTF-8
    OTHER_ENCODING = "other_encoding"  # declares an existing encoding other than UTF-8
    UNKNOWN_ENCODING = "unknown_encoding"  # declares an encoding that does not exist
    OTHER_ARCHIVE = "other_archive"  # an archive in a format other than .zip
    DAMAGED_ARCHIVE = "damaged_archive"  # a .zip that is inconsistent or truncated
    ENCRYPTED = "encrypted"  # a .zip with a password
    COMPRESSION = "compression"  # a .zip with a method other than stored or deflate
    TOO_MANY_FILES = "too_many_files"
    UNPACKED_TOO_LARGE = "unpacked_too_large"
    BOMB = "bomb"  # unpacks to an absurd multiple of its size
    UNSAFE_PATH = "unsafe_path"  # leads outside the archive, or is not a valid file name
    BACKSLASH = "backslash"  # a path written with backslashes
    SYMLINK = "symlink"
    SPECIAL_FILE = "special_file"  # a device, a pipe, a socket
    DUPLICATE = "duplicate"  # two members whose paths collide on some file systems
    NO_MAIN = "no_main"  # main.py is missing


_PACK_AGAIN: Final = "Pack the files again with your system's zip tool and upload the new archive."
_UTF8: Final = "In your editor, save the file as UTF-8 and upload it again."

HINTS: Final[dict[PackageProblem, str]] = {
    PackageProblem.EMPTY: "Save the file in your editor and upload it again.",
    PackageProblem.TOO_LARGE: "Leave out everything that the bot does not read while it plays.",
    PackageProblem.NOT_PYTHON: "Upload a .py file, or a .zip with main.py.",
    PackageProblem.NOTEBOOK: "Export the notebook as a Python file (File, Save and Export As, Executable Script). "
    'Then remove the lines that play matches, or put them under if __name__ == "__main__".',
    PackageProblem.NUL_BYTES: _UTF8,
    PackageProblem.WRONG_ENCODING: _UTF8,
    PackageProblem.OTHER_ENCODING: "Delete the line that declares the encoding and save the file as UTF-8.",
    PackageProblem.UNKNOWN_ENCODING: "Delete the line that declares the encoding and save the file as UTF-8.",
    PackageProblem.OTHER_ARCHIVE: "Unpack it and pack the files as a .zip archive.",
    PackageProblem.DAMAGED_ARCHIVE: _PACK_AGAIN,
    PackageProblem.ENCRYPTED: "Pack the files again without a password.",
    PackageProblem.COMPRESSION: _PACK_AGAIN,
    PackageProblem.TOO_MANY_FILES: "Leave out everything that the bot does not read while it plays.",
    PackageProblem.UNPACKED_TOO_LARGE: "Leave out everything that the bot does not read while it plays.",
    PackageProblem.BOMB: "Remove the large file that consists mostly of repeated bytes. "
    "Your bot can create it at run time.",
    PackageProblem.UNSAFE_PATH: _PACK_AGAIN,
    PackageProblem.BACKSLASH: _PACK_AGAIN,
    PackageProblem.SYMLINK: "Replace the link with a copy of the file that it points to.",
    PackageProblem.SPECIAL_FILE: "Leave it out. Only regular files are allowed.",
    PackageProblem.DUPLICATE: "Give the files names that differ in more than case, and pack them again.",
    PackageProblem.NO_MAIN: "Rename the file that defines your player to main.py, and put it at the top level of the "
    "archive.",
}


class PackageError(Exception):
    """Raised if an upload is refused, with a code, a sentence for its author, and what to do next."""

    def __init__(self, code: PackageProblem, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = HINTS[code] if hint is None else hint
