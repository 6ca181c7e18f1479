from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Register the hooks with which accounts and Registers learn about campaigns."""
        from accounts.hooks import REGISTERED, Hooks
        from campaign.battles.queries.battles import battle_names
        from campaign.battles.services.corrections import hindrances
        from campaign.data_export import campaigns_of
        from campaign.pages.register_links import campaign_name_of_register, links_of_register, next_steps_of_register
        from campaign.people.services.joining import join_after_login, leave_all
        from campaign.people.services.merging import move_everything
        from campaign.queries.registers import frozen
        from campaign.services.activity import record_corrections
        from members.services.invitations import join_after_login_with
        from registers.campaign_side import CampaignSide, connect, registers_corrected

        from .access import members_see, organizers_edit
        from .models import Invitation

        REGISTERED.append(Hooks("campaigns", download=campaigns_of, deletion=leave_all, merging=move_everything))
        join_after_login_with(Invitation, join_after_login)
        connect(
            CampaignSide(
                seen_by=members_see,
                managed_by=organizers_edit,
                frozen=frozen,
                battle_names=battle_names,
                name=campaign_name_of_register,
                links=links_of_register,
                next_steps=next_steps_of_register,
                hindrances=hindrances,
            )
        )
        registers_corrected.connect(record_corrections, dispatch_uid="campaign.correction_log")
