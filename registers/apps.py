from django.apps import AppConfig


class RegistersConfig(AppConfig):
    name = "registers"

    def ready(self) -> None:
        """Add Registers to the personal data that people can download."""
        from accounts.queries import also_in_download
        from registers.data_export import registers_of

        also_in_download("registers", registers_of)
