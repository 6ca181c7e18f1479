from django.apps import AppConfig


class RegistersConfig(AppConfig):
    name = "registers"

    def ready(self) -> None:
        """Register the hooks with which accounts and the catalogue learn about Registers."""
        from accounts.queries import also_in_download
        from catalogue.services.load import limits_asked
        from registers.data_export import registers_of
        from registers.queries.readiness import names_over_potential

        also_in_download("registers", registers_of)
        limits_asked.connect(names_over_potential, dispatch_uid="registers.over_potential")
