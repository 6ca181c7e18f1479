"""Values of the rules as words, in the language of the user."""

from django import template

from rules.register.upgrade_slots import faction_name, spoken

register = template.Library()
register.filter("spoken", spoken)
register.filter("faction_name", faction_name)
