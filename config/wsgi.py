"""The WSGI application that gunicorn serves."""

import os

import django

from core.middleware.unreadable_requests import Application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
application = Application()
