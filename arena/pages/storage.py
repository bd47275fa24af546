"""Static files under names that hold their hash, so that browsers keep them for ever."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites the imports between JavaScript modules."""

    support_js_module_import_aggregation = True
    # A pass settles what imports settled files. In an unlucky order, which is the file system's, that takes as many as
    # there are links in the longest chain of imports; a pass that changes nothing is the last.
    max_post_process_passes = 50
