from django.db import migrations, models

FORMATS = (
    "Legion HQ link",
    "Legion HQ tournament text",
    "Legion HQ standard text",
    "Legion HQ minimal text",
    "LegionApp text",
    "Tabletop Simulator JSON",
    "Tabletop Admiral JSON",
    "Tabletop Admiral text",
)


class Migration(migrations.Migration):
    dependencies = [("lists", "0001_initial")]

    operations = [
        migrations.AlterField(
            "armylist",
            "source_format",
            models.CharField(blank=True, choices=[(each, each) for each in FORMATS], max_length=40),
        ),
        migrations.RemoveConstraint("armylist", "armylist_known_format"),
        migrations.AddConstraint(
            "armylist",
            models.CheckConstraint(condition=models.Q(source_format__in=("", *FORMATS)), name="armylist_known_format"),
        ),
    ]
