import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('battles', '0001_initial'),
        ('campaign', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(blank=True, max_length=120)),
                ('text', models.TextField(blank=True)),
                ('pinned', models.BooleanField(default=False)),
                ('mentioned', models.JSONField(blank=True, default=list)),
                ('version', models.PositiveIntegerField(default=1)),
                ('written_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('changed_at', models.DateTimeField(blank=True, null=True)),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='campaign.campaign')),
            ],
            options={
                'ordering': ['-pinned', '-written_at', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('removed_at__isnull', True), models.Q(('title', ''), _negated=True), models.Q(('text', ''), _negated=True)), models.Q(('removed_at__isnull', False), ('text', ''), ('title', '')), _connector='OR'), name='announcement_says_something_or_is_removed')],
            },
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('text', models.TextField(blank=True)),
                ('mentioned', models.JSONField(blank=True, default=list)),
                ('version', models.PositiveIntegerField(default=1)),
                ('written_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('changed_at', models.DateTimeField(blank=True, null=True)),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('announcement', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='discussion.announcement')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('battle', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='battles.battle')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='campaign.campaign')),
            ],
            options={
                'ordering': ['-written_at', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('announcement__isnull', True), ('battle__isnull', False)), models.Q(('announcement__isnull', False), ('battle__isnull', True)), _connector='OR'), name='comment_is_about_one_thing'), models.CheckConstraint(condition=models.Q(models.Q(('removed_at__isnull', True), models.Q(('text', ''), _negated=True)), models.Q(('removed_at__isnull', False), ('text', '')), _connector='OR'), name='comment_says_something_or_is_removed')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('mention', 'Mention'), ('reminder', 'Reminder')], max_length=8)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('announcement', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='discussion.announcement')),
                ('battle', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='battles.battle')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='campaign.campaign')),
                ('comment', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='discussion.comment')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaign_notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', 'pk'],
                'indexes': [models.Index(condition=models.Q(('seen_at__isnull', True)), fields=['user'], name='unseen_notices_of_a_user')],
            },
        ),
    ]
