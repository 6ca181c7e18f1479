from itertools import islice

from django.contrib.auth import SESSION_KEY
from django.db import migrations


def tell(apps, schema_editor):
    """Say of each session whose it is, so that those of an account end with it."""
    from accounts.sessions import SessionStore

    Session, User = apps.get_model('accounts', 'Session'), apps.get_model('accounts', 'User')
    decode = SessionStore().decode
    all_of_them = Session.objects.filter(user=None).iterator()
    while rows := list(islice(all_of_them, 1000)):
        whose = {row: int(said) for row in rows if (said := decode(row.session_data).get(SESSION_KEY))}
        there = set(User.objects.filter(pk__in=whose.values()).values_list('pk', flat=True))
        for row, user in whose.items():
            row.user_id = user if user in there else None
        Session.objects.bulk_update(whose, ['user'])


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_whose_session'),
    ]

    operations = [migrations.RunPython(tell, migrations.RunPython.noop, elidable=True)]
