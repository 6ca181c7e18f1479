import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Whose a session is stands in its row. Nodes of before write rows without it, and need not know the column."""

    dependencies = [
        ('accounts', '0003_merged'),
        ('sessions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'django_session',
                'managed': False,
            },
        ),
        migrations.RunSQL(
            # Every request reads this table: better to fail and begin again than to let them all wait for a long backup.
            "SET LOCAL lock_timeout = '5s'; "
            "ALTER TABLE django_session ADD COLUMN IF NOT EXISTS user_id bigint NULL "
            "REFERENCES accounts_user ON DELETE CASCADE; "
            "CREATE INDEX IF NOT EXISTS django_session_user ON django_session (user_id)",
            migrations.RunSQL.noop,  # the code of before does not mind the column
        ),
    ]
