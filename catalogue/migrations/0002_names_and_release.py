from django.db import migrations, models

RELEASE = models.CharField(
    max_length=40,
    blank=True,
    help_text="Day as in 2026-08-14: playable from that day on. Or the expected time, as in Q4 2026: not playable. "
    "Empty: playable.",
)


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0001_initial")]

    operations = [
        *(
            operation
            for model in ("unit", "upgrade", "commandcard")
            for operation in (
                migrations.RenameField(model, "unreleased", "release"),
                migrations.AlterField(model, "release", RELEASE),
            )
        ),
        *(
            operation
            for model in ("unit", "upgrade", "counterpart")
            for operation in (
                migrations.AddField(
                    model,
                    "short_name",
                    models.CharField(
                        max_length=120, blank=True, default="", help_text="Name in Legion HQ’s texts, if it is another."
                    ),
                    preserve_default=False,
                ),
                migrations.AddField(
                    model,
                    "tts_name",
                    models.CharField(
                        max_length=120,
                        blank=True,
                        default="",
                        help_text="Name in Tabletop Simulator, if it is not name and title.",
                    ),
                    preserve_default=False,
                ),
            )
        ),
    ]
