from django.apps import AppConfig


class RegistersConfig(AppConfig):
    name = "registers"

    def ready(self) -> None:
        """Register the hooks with which accounts and the catalogue learn about Registers."""
        from accounts.hooks import REGISTERED, Hooks
        from catalogue.services.load import limits_asked
        from registers.data_export import registers_of
        from registers.queries.readiness import names_over_potential

        REGISTERED.append(Hooks("registers", download=registers_of))
        limits_asked.connect(names_over_potential, dispatch_uid="registers.over_potential")
