from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Register what accounts and Registers need to know of campaigns."""
        from django.contrib.auth.signals import user_logged_in

        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from campaign.data_export import campaigns_of
        from campaign.invitation_session import join_after_login
        from campaign.queries.registers import whereabouts
        from campaign.services.activity import record_corrections
        from registers.access import also_correctable, also_editable, also_visible
        from registers.register_links import register_guide
        from registers.signals import registers_corrected

        from .access import members_see, organisers_edit
        from .services.members import leave_all
        from .services.merging import move_everything

        also_visible(members_see)
        also_editable(organisers_edit)
        also_correctable(organisers_edit)
        also_in_download("campaigns", campaigns_of)
        before_deletion(leave_all)
        before_merging(move_everything)
        user_logged_in.connect(join_after_login, dispatch_uid="campaign.invitation_session")
        register_guide(whereabouts)
        registers_corrected.connect(record_corrections, dispatch_uid="campaign.correction_log")
