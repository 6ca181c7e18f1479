from django.apps import AppConfig


class StoryArcsConfig(AppConfig):
    name = "campaign.story_arcs"

    def ready(self) -> None:
        """Tell the battles where maps of missions are."""
        from campaign.battles.queries.mission_maps import add_map_source
        from campaign.story_arcs.queries import mission_map_of

        add_map_source(mission_map_of)
