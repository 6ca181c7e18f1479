from django.apps import AppConfig


class StoryArcsConfig(AppConfig):
    name = "campaign.story_arcs"

    def ready(self) -> None:
        """Tell the battles where maps of missions are."""
        from campaign.battles.signals import mission_map_shown
        from campaign.story_arcs.queries import mission_map_of

        mission_map_shown.connect(mission_map_of, dispatch_uid="story_arcs.map")
