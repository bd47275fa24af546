"""Problems with an upload, with advice for its author."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from arena.core.messages import Message, gettext_noop


class PackageProblem(StrEnum):
    """The reason why an upload is refused before any of its code runs."""

    EMPTY = "empty"  # no bytes, or only whitespace
    TOO_LARGE = "too_large"  # the uploaded file itself
    NOT_PYTHON = "not_python"  # recognized as another type of file
    NOTEBOOK = "notebook"  # a Jupyter notebook
    NUL_BYTES = "nul_bytes"  # contains null bytes, which no source file does
    WRONG_ENCODING = "wrong_encoding"  # not UTF-8
    OTHER_ENCODING = "other_encoding"  # declares an existing encoding other than UTF-8
    UNKNOWN_ENCODING = "unknown_encoding"  # declares an encoding that does not exist
    OTHER_ARCHIVE = "other_archive"  # an archive in a format other than .zip
    DAMAGED_ARCHIVE = "damaged_archive"  # a .zip that is inconsistent or truncated
    ENCRYPTED = "encrypted"  # a .zip with a password
    COMPRESSION = "compression"  # a .zip with a compression method other than stored or deflate
    TOO_MANY_FILES = "too_many_files"
    UNPACKED_TOO_LARGE = "unpacked_too_large"
    BOMB = "bomb"  # unpacks to an absurd multiple of its size
    UNSAFE_PATH = "unsafe_path"  # leads outside the archive, or is not a valid file name
    BACKSLASH = "backslash"  # a path written with backslashes
    SYMLINK = "symlink"
    SPECIAL_FILE = "special_file"  # a device, a pipe, a socket
    DUPLICATE = "duplicate"  # two members whose paths collide on some file systems
    NO_MAIN = "no_main"  # main.py is missing


_PACK_AGAIN: Final = gettext_noop("Create the archive again with your system's zip tool and upload it.")
_UTF8: Final = gettext_noop("In your editor, save the file as UTF-8 and upload it again.")
_LEAVE_OUT: Final = gettext_noop("Remove all files that the bot does not need during a match.")
_NO_DECLARATION: Final = gettext_noop("Delete the line that declares the encoding and save the file as UTF-8.")

# Advice by problem, in English; pages translate it.
HINTS: Final[dict[PackageProblem, str]] = {
    PackageProblem.EMPTY: gettext_noop("Save the file in your editor and upload it again."),
    PackageProblem.TOO_LARGE: _LEAVE_OUT,
    PackageProblem.NOT_PYTHON: gettext_noop("Upload a .py file, or a .zip with main.py."),
    PackageProblem.NOTEBOOK: gettext_noop(
        "Export the notebook as a Python file (File, Save and Export As, Executable Script). "
        'Then remove the lines that play matches, or put them under if __name__ == "__main__".'
    ),
    PackageProblem.NUL_BYTES: _UTF8,
    PackageProblem.WRONG_ENCODING: _UTF8,
    PackageProblem.OTHER_ENCODING: _NO_DECLARATION,
    PackageProblem.UNKNOWN_ENCODING: _NO_DECLARATION,
    PackageProblem.OTHER_ARCHIVE: gettext_noop("Unpack the archive, then create a .zip archive of its files."),
    PackageProblem.DAMAGED_ARCHIVE: _PACK_AGAIN,
    PackageProblem.ENCRYPTED: gettext_noop("Create the archive again without a password."),
    PackageProblem.COMPRESSION: _PACK_AGAIN,
    PackageProblem.TOO_MANY_FILES: _LEAVE_OUT,
    PackageProblem.UNPACKED_TOO_LARGE: _LEAVE_OUT,
    PackageProblem.BOMB: gettext_noop(
        "Remove the large file that consists mostly of repeated bytes. Your bot can create it at run time."
    ),
    PackageProblem.UNSAFE_PATH: _PACK_AGAIN,
    PackageProblem.BACKSLASH: _PACK_AGAIN,
    PackageProblem.SYMLINK: gettext_noop("Replace the link with a copy of the file that it points to."),
    PackageProblem.SPECIAL_FILE: gettext_noop("Remove it from the archive. Only regular files are allowed."),
    PackageProblem.DUPLICATE: gettext_noop(
        "Rename the files so that every name is unique regardless of case, and create the archive again."
    ),
    PackageProblem.NO_MAIN: gettext_noop(
        "Rename the file that defines your player class or function to main.py, and put it at the top level of the "
        "archive."
    ),
}


class PackageError(Exception):
    """Raised if an upload is refused.

    ``code``: the kind of problem; ``message``: what is wrong; ``hint``: what to do next, in English.
    """

    def __init__(self, code: PackageProblem, message: Message, hint: str | None = None) -> None:
        super().__init__(message.text)
        self.code = code
        self.message = message
        self.hint = HINTS[code] if hint is None else hint
