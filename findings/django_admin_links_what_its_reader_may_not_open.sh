#!/usr/bin/env bash
# Guess:    in the admin, a person who may only view a model sees its foreign keys as text where they may not open the other
#           end: the pencil and the plus of the widget are drawn by permission, too.
# Happens:  a read-only foreign key is a link to the change page of the other end whenever that model is registered. Nobody asks
#           for the permission; the link answers 403.
# Hurt:     roles with few permissions: half of the links of their pages end in "403 Forbidden". A method in `readonly_fields`
#           that returns the text has no link.
# Versions: django 5.2.8 (PyPI). Source: django/contrib/admin/helpers.py (`AdminReadonlyField.get_admin_url`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet django==5.2.8

cat > links.py <<'PYTHON'
import re

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x", ROOT_URLCONF="links", ALLOWED_HOSTS=["*"], USE_TZ=True, DEBUG_PROPAGATE_EXCEPTIONS=False,
    INSTALLED_APPS=["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
                    "django.contrib.sessions", "django.contrib.messages"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                "OPTIONS": {"context_processors": ["django.template.context_processors.request",
                                                   "django.contrib.auth.context_processors.auth",
                                                   "django.contrib.messages.context_processors.messages"]}}],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)
django.setup()

import logging

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import path

admin.site.register(LogEntry)  # has a foreign key to User
urlpatterns = [path("admin/", admin.site.urls)]

if __name__ == "__main__":
    import sys

    sys.modules["links"] = sys.modules["__main__"]
    logging.disable(logging.CRITICAL)
    call_command("migrate", verbosity=0)
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_logentry"))
    boss = User.objects.create_user("boss")
    entry = LogEntry.objects.create(user=boss, action_flag=1, object_repr="x")
    client = Client()
    client.force_login(clerk)
    page = client.get(f"/admin/admin/logentry/{entry.pk}/change/").content.decode()
    [link] = re.findall(r'<a href="([^"]+)">boss</a>', page)
    print(link, client.get(link).status_code)
PYTHON
venv/bin/python links.py | tee output
diff output - <<'SEEN'
/admin/auth/user/2/change/ 403
SEEN
