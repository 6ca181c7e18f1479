import django.contrib.auth.validators
from django.db import migrations, models

import accounts.models
import accounts.names


def set_keys(apps, schema_editor):
    """Give every account the key of its name."""
    User = apps.get_model('accounts', 'User')
    for user in User.objects.iterator():
        user.save(update_fields=['username_key'])


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_merged'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='username_key',
            field=accounts.models.NameKeyField(editable=False, max_length=450, null=True),
        ),
        migrations.RunPython(set_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='user',
            name='username_key',
            field=accounts.models.NameKeyField(editable=False, max_length=450, unique=True),
        ),
        migrations.AlterField(
            model_name='user',
            name='username',
            field=models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator(), accounts.names.validate_one_script], verbose_name='username'),
        ),
    ]
