from django.db import migrations, models


def rename(apps, schema_editor):
    """What was still mustering is planned; a battle of two armies that stand was in play already."""
    apps.get_model("campaign", "Battle").objects.filter(status="mustering").update(status="planned")


def rename_back(apps, schema_editor):
    """Battles that stand without being begun have to be mustered anew."""
    Battle, Side = apps.get_model("campaign", "Battle"), apps.get_model("campaign", "Side")
    waiting = Battle.objects.filter(status__in=("planned", "mustered"))
    Side.objects.filter(battle__in=waiting, register__isnull=False).update(mustered=False)
    waiting.update(status="mustering")
    Battle.objects.filter(status="disputed").update(status="reported")


class Migration(migrations.Migration):

    dependencies = [
        ("campaign", "0009_consent"),
    ]

    operations = [
        migrations.RunPython(rename, rename_back),
    ]
