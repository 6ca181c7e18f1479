"""`{% can_mail as sends_mail %}`: whether this site can send mail."""

from django import template

from accounts.adapters import can_mail

register = template.Library()
register.simple_tag(can_mail)
