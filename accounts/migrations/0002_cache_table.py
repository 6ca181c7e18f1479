from django.core.management import call_command
from django.db import migrations


def make_table(apps, schema_editor):
    """Let Django make the table of settings.CACHES, so that `migrate` alone prepares a database."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [migrations.RunPython(make_table, migrations.RunPython.noop)]
