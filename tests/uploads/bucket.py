"""An object storage in memory, as strict as S3: it knows files and no directories."""

from datetime import datetime

from django.core.files.storage import InMemoryStorage


class Bucket(InMemoryStorage):
    def is_file(self, name: str) -> bool:
        """Return whether there is an object of this name."""
        try:
            self.size(name)
        except (AttributeError, FileNotFoundError, IsADirectoryError):
            return False
        return True

    def exists(self, name: str) -> bool:
        assert name, "S3 refuses an empty key."
        return self.is_file(name)

    def get_modified_time(self, name: str) -> datetime:
        if not self.is_file(name):
            raise FileNotFoundError(name)
        return super().get_modified_time(name)

    def delete(self, name: str) -> None:
        if self.is_file(name):
            super().delete(name)
