"""Send signed HTTP requests to untrusted addresses. Uses neither a framework nor a database."""
