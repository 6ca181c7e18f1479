from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Register the hooks with which accounts and Registers learn about campaigns."""
        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from campaign.data_export import campaigns_of
        from campaign.pages.register_links import campaign_name_of_register, links_of_register, next_steps_of_register
        from campaign.people.services.joining import join_after_login, leave_all
        from campaign.people.services.merging import move_everything
        from campaign.services.activity import record_corrections
        from members.services.invitations import join_after_login_with
        from registers.access import also_correctable, also_editable, also_visible
        from registers.register_links import set_campaign_namer, set_guide, set_next_steps
        from registers.signals import registers_corrected

        from .access import members_see, organizers_edit
        from .models import Invitation

        also_visible(members_see)
        also_editable(organizers_edit)
        also_correctable(organizers_edit)
        also_in_download("campaigns", campaigns_of)
        before_deletion(leave_all)
        before_merging(move_everything)
        join_after_login_with(Invitation, join_after_login)
        set_guide(links_of_register)
        set_next_steps(next_steps_of_register)
        set_campaign_namer(campaign_name_of_register)
        registers_corrected.connect(record_corrections, dispatch_uid="campaign.correction_log")
