"""Messages about refused uploads, keyed by code; pages translate them, terminals show them in English."""

from __future__ import annotations

from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code

EMPTY: Final = Template("upload.empty", gettext_noop("%(name)s is empty."))
TOO_LARGE: Final = Template("upload.too_large", gettext_noop("%(name)s is %(size)s MiB; the limit is %(most)s MiB."))
NOT_PYTHON: Final = Template("upload.not_python", gettext_noop("%(name)s is not Python: it looks like %(kind)s."))
NOTEBOOK: Final = Template("upload.notebook", gettext_noop("%(name)s is a Jupyter notebook, not a Python file."))
OTHER_ARCHIVE: Final = Template(
    "upload.other_archive", gettext_noop("%(name)s is %(kind)s; the arena accepts only .zip archives.")
)

# The types of files that are recognized and refused.
WEB_PAGE: Final = Template("upload.kind.web_page", gettext_noop("a web page"))
PDF: Final = Template("upload.kind.pdf", gettext_noop("a PDF document"))
RTF: Final = Template("upload.kind.rtf", gettext_noop("a formatted text document (RTF)"))
PNG: Final = Template("upload.kind.png", gettext_noop("a PNG image"))
JPEG: Final = Template("upload.kind.jpeg", gettext_noop("a JPEG image"))
GIF: Final = Template("upload.kind.gif", gettext_noop("a GIF image"))
OFFICE: Final = Template("upload.kind.office", gettext_noop("a Microsoft Office document"))
OLD_OFFICE: Final = Template("upload.kind.old_office", gettext_noop("an old Microsoft Office document"))
LIBRE_OFFICE: Final = Template("upload.kind.libre_office", gettext_noop("a LibreOffice document"))
WINDOWS_PROGRAM: Final = Template("upload.kind.windows", gettext_noop("a Windows executable"))
LINUX_PROGRAM: Final = Template("upload.kind.linux", gettext_noop("a Linux executable"))
MACOS_PROGRAM: Final = Template("upload.kind.macos", gettext_noop("a macOS executable"))
MACOS_OR_JAVA: Final = Template("upload.kind.macos_or_java", gettext_noop("a macOS executable or a Java class"))
JAVA_PROGRAM: Final = Template("upload.kind.java", gettext_noop("a Java archive (JAR)"))
NUMPY_ARRAY: Final = Template("upload.kind.numpy", gettext_noop("a NumPy array"))
PICKLE: Final = Template("upload.kind.pickle", gettext_noop("a pickled Python object"))
COMPILED: Final = Template("upload.kind.compiled", gettext_noop("a compiled Python file (.pyc)"))
RAR: Final = Template("upload.kind.rar", gettext_noop("a RAR archive"))
SEVEN_ZIP: Final = Template("upload.kind.7z", gettext_noop("a 7-Zip archive"))
GZIP: Final = Template("upload.kind.gzip", gettext_noop("a gzip archive"))
BZIP2: Final = Template("upload.kind.bzip2", gettext_noop("a bzip2 archive"))
XZ: Final = Template("upload.kind.xz", gettext_noop("an xz archive"))
TAR: Final = Template("upload.kind.tar", gettext_noop("a tar archive"))

NUL_BYTE: Final = Template(
    "upload.nul_byte",
    gettext_noop("%(name)s is not text: it contains a null byte at line %(line)s, column %(column)s."),
)
UTF16: Final = Template("upload.utf16", gettext_noop("%(name)s is saved as UTF-16, which Python cannot read."))
NOT_UTF8: Final = Template(
    "upload.not_utf8",
    gettext_noop("%(name)s is not UTF-8: byte %(byte)s at line %(line)s, column %(column)s is invalid."),
)
SEEMS_GBK: Final = Template("upload.seems_gbk", gettext_noop("%(sentence)s It seems to have been saved as GBK."))
OTHER_ENCODING: Final = Template(
    "upload.other_encoding",
    gettext_noop("%(name)s declares the encoding %(encoding)s; the arena reads UTF-8 only."),
)
UNKNOWN_ENCODING: Final = Template(
    "upload.unknown_encoding",
    gettext_noop("%(name)s declares the encoding %(encoding)s, which is not valid for Python source code."),
)
MARKED_UTF8: Final = Template(
    "upload.marked_utf8",
    gettext_noop("%(name)s begins with a UTF-8 byte order mark but declares another encoding."),
)

NOT_A_ZIP: Final = Template("upload.not_a_zip", gettext_noop("%(name)s is not a .zip archive, despite its name."))
DAMAGED: Final = Template("upload.damaged", gettext_noop("%(name)s cannot be unpacked: %(reason)s."))
IS_DAMAGED: Final = Template("upload.damaged.damaged", gettext_noop("it is damaged"))
FOLDER_WITH_DATA: Final = Template("upload.damaged.folder", gettext_noop("it is marked as a folder but contains data"))
OVERLAP: Final = Template("upload.damaged.overlap", gettext_noop("its files overlap"))
NO_HEADER: Final = Template("upload.damaged.header", gettext_noop("its header is missing"))
OTHER_NAME: Final = Template("upload.damaged.name", gettext_noop("its header states a different name"))
WRONG_CHECKSUM: Final = Template("upload.damaged.checksum", gettext_noop("its checksum is wrong"))
CUT_OFF: Final = Template("upload.damaged.truncated", gettext_noop("it is truncated"))
INVALID_DATA: Final = Template("upload.damaged.data", gettext_noop("its compressed data is invalid"))
WRONG_SIZE: Final = Template(
    "upload.damaged.size", gettext_noop("its size differs from the size stated in the archive")
)
ENCRYPTED: Final = Template("upload.encrypted", gettext_noop("%(path)s is password-protected."))
COMPRESSION: Final = Template("upload.compression", gettext_noop("%(path)s uses an unsupported compression method."))
TOO_MANY_MEMBERS: Final = Template(
    "upload.members", gettext_noop("%(name)s has %(n)s files and folders; the limit is %(most)s.")
)
TOO_MANY_FOLDERS: Final = Template("upload.folders", gettext_noop("%(name)s has %(n)s folders; the limit is %(most)s."))
TOO_MANY_FILES: Final = Template("upload.files", gettext_noop("%(name)s has %(n)s files; the limit is %(most)s."))
BOMB: Final = Template(
    "upload.bomb", gettext_noop("%(name)s unpacks to %(times)s times its size; the limit is %(most)s times.")
)
UNPACKED_TOO_LARGE: Final = Template(
    "upload.unpacked", gettext_noop("%(name)s unpacks to %(size)s MiB; the limit is %(most)s MiB.")
)
BACKSLASH: Final = Template(
    "upload.path.backslash", gettext_noop("The archive contains a path with a backslash: %(path)s.")
)
ABSOLUTE_PATH: Final = Template(
    "upload.path.absolute", gettext_noop("The archive contains an absolute path: %(path)s.")
)
OUTSIDE_PATH: Final = Template(
    "upload.path.outside", gettext_noop("The archive contains a path outside its own folder: %(path)s.")
)
LONG_PATH: Final = Template("upload.path.long", gettext_noop("The archive contains a path that is too long: %(path)s."))
INVALID_NAME: Final = Template(
    "upload.path.name", gettext_noop("The archive contains a file with an invalid name: %(path)s.")
)
SYMLINK: Final = Template("upload.symlink", gettext_noop("%(path)s is a symbolic link."))
SPECIAL_FILE: Final = Template("upload.special_file", gettext_noop("%(path)s is a device, a pipe or a socket."))
TWICE: Final = Template("upload.twice", gettext_noop("The archive contains %(path)s twice."))
COLLISION: Final = Template("upload.collision", gettext_noop("The archive contains both %(path)s and %(other)s."))
FILE_AND_FOLDER: Final = Template(
    "upload.file_and_folder", gettext_noop("In the archive, %(path)s is both a file and a folder.")
)

MAIN_ELSEWHERE: Final = Template(
    "upload.main.elsewhere",
    gettext_noop("main.py must be at the top level of the archive, but it is at %(paths)s."),
    lists=("paths",),
)
MAIN_IN_CAPITALS: Final = Template(
    "upload.main.capitals",
    gettext_noop("The archive contains %(path)s, but the file must be named main.py, in lower case."),
)
NO_MAIN_ONE_SOURCE: Final = Template(
    "upload.main.one_source", gettext_noop("The archive has no main.py. Its only Python file is %(path)s.")
)
NO_MAIN_ONE_PLAYER: Final = Template(
    "upload.main.one_player", gettext_noop("The archive has no main.py. The class AIPlayer is in %(path)s.")
)
NO_MAIN: Final = Template(
    "upload.main.none", gettext_noop("The archive has no main.py. It contains %(paths)s."), lists=("paths",)
)
NO_FILES: Final = Template("upload.main.no_files", gettext_noop("The archive has no main.py. It contains no files."))
AND_MORE: Final = Template("upload.and_more", gettext_noop("%(paths)s and %(n)s more"), lists=("paths",))

UPLOAD_MESSAGES: Final = templates_by_code(*(value for value in list(vars().values()) if isinstance(value, Template)))
