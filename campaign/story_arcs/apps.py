from django.apps import AppConfig


class StoryArcsConfig(AppConfig):
    name = "campaign.story_arcs"
