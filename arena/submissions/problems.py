"""Translate problems found in an upload.

``arena.core.sandbox`` describes them in English, in detail. In other languages, the kind of problem and the advice are
translated, and the English sentence follows them.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from arena.core.sandbox.uploads.package import PackageError, PackageProblem

_UTF8 = _("In your editor, save the file as UTF-8 and upload it again.")
_NO_DECLARATION = _("Delete the line that declares the encoding and save the file as UTF-8.")
_PACK_AGAIN = _("Pack the files again with your system's zip tool and upload the new archive.")
_LEAVE_OUT = _("Leave out everything that the bot does not read while it plays.")

# The problem, and what to do next.
EXPLANATIONS: dict[PackageProblem, tuple[str | Promise, str | Promise]] = {
    PackageProblem.EMPTY: (_("The file is empty."), _("Save the file in your editor and upload it again.")),
    PackageProblem.TOO_LARGE: (_("The file is too large."), _LEAVE_OUT),
    PackageProblem.NOT_PYTHON: (_("This is not a Python file."), _("Upload a .py file, or a .zip with main.py.")),
    PackageProblem.NOTEBOOK: (
        _("This is a Jupyter notebook."),
        _(
            "Export the notebook as a Python file (File, Save and Export As, Executable Script). "
            'Then remove the lines that play matches, or put them under if __name__ == "__main__".'
        ),
    ),
    PackageProblem.NUL_BYTES: (_("The file contains NUL bytes, so it is not a text file."), _UTF8),
    PackageProblem.WRONG_ENCODING: (_("The file is not saved as UTF-8."), _UTF8),
    PackageProblem.OTHER_ENCODING: (_("The file declares an encoding other than UTF-8."), _NO_DECLARATION),
    PackageProblem.UNKNOWN_ENCODING: (_("The file declares an encoding that does not exist."), _NO_DECLARATION),
    PackageProblem.OTHER_ARCHIVE: (
        _("This is not a .zip archive."),
        _("Unpack it and pack the files as a .zip archive."),
    ),
    PackageProblem.DAMAGED_ARCHIVE: (_("The archive is damaged."), _PACK_AGAIN),
    PackageProblem.ENCRYPTED: (
        _("The archive is password-protected."),
        _("Pack the files again without a password."),
    ),
    PackageProblem.COMPRESSION: (_("The archive uses an unsupported compression method."), _PACK_AGAIN),
    PackageProblem.TOO_MANY_FILES: (_("The archive has too many files or folders."), _LEAVE_OUT),
    PackageProblem.UNPACKED_TOO_LARGE: (_("The archive is too large when it is unpacked."), _LEAVE_OUT),
    PackageProblem.BOMB: (
        _("The compression ratio of the archive is too high."),
        _("Remove the large file that consists mostly of repeated bytes. Your bot can create it at run time."),
    ),
    PackageProblem.UNSAFE_PATH: (_("The archive contains a path outside its own folder."), _PACK_AGAIN),
    PackageProblem.BACKSLASH: (_("The archive contains a path with a backslash."), _PACK_AGAIN),
    PackageProblem.SYMLINK: (
        _("The archive contains a symbolic link."),
        _("Replace the link with a copy of the file that it points to."),
    ),
    PackageProblem.SPECIAL_FILE: (
        _("The archive contains a special file."),
        _("Leave it out. Only regular files are allowed."),
    ),
    PackageProblem.DUPLICATE: (
        _("The archive contains two files with the same name."),
        _("Rename the files so that their names differ in more than letter case, and pack them again."),
    ),
    PackageProblem.NO_MAIN: (
        _("main.py is missing."),
        _("Rename the file that defines your player to main.py, and put it at the top level of the archive."),
    ),
}


def explain(error: PackageError) -> str:
    """Return one paragraph: the problem, its location, and what to do next."""
    if (get_language() or "en").startswith("en"):
        return f"{error.message} {error.hint}".strip()
    what, advice = EXPLANATIONS[error.code]
    parts = {"problem": what, "advice": advice, "detail": error.message}
    return gettext("%(problem)s %(advice)s (%(detail)s)") % parts
