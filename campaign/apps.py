from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Tell the rooms below, which know no campaigns, what they have to know of them."""
        from django.contrib.auth.signals import user_logged_in

        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from registers.access import also_correctable, also_editable, also_visible
        from registers.battles import name_battles
        from registers.services.corrections import also_ask, also_tell
        from registers.signals import registers_corrected
        from registers.whereabouts import tell_whereabouts

        from .access import members_see, organisers_edit
        from .arrivals import arrive
        from .corrections import ask_anew, hindrances
        from .download import campaigns_of
        from .queries import battle_names, whereabouts
        from .services.chronicle import record_corrections
        from .services.members import leave_all
        from .services.merging import move_everything

        also_visible(members_see)
        also_editable(organisers_edit)
        also_correctable(organisers_edit)
        name_battles(battle_names)
        also_in_download("campaigns", campaigns_of)
        before_deletion(leave_all)
        before_merging(move_everything)
        user_logged_in.connect(arrive, dispatch_uid="campaign.arrivals")
        tell_whereabouts(whereabouts)
        also_ask(hindrances)
        also_tell(ask_anew)
        registers_corrected.connect(record_corrections, dispatch_uid="campaign.correction_log")
