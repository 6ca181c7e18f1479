from django.db import migrations

#: Why ranks may be outside the limits is an army's own now (R18): what stood for both goes to each that had mustered.
TO_THE_ARMIES = """
    UPDATE campaign_side AS side
    SET army = side.army || jsonb_build_object('rank_reason', battle.rank_reason)
    FROM campaign_battle AS battle
    WHERE battle.id = side.battle_id AND side.mustered AND side.register_id IS NOT NULL AND battle.rank_reason <> ''
"""
#: The column stays for the code before this, which still serves while it runs, and is given nothing by the code after.
EMPTY_UNLESS_SAID = "ALTER TABLE campaign_battle ALTER COLUMN rank_reason SET DEFAULT ''"
NEVER_EMPTY_BY_ITSELF = "ALTER TABLE campaign_battle ALTER COLUMN rank_reason DROP DEFAULT"


class Migration(migrations.Migration):
    """The reasons of battles become those of their armies."""

    dependencies = [("campaign", "0018_battles_by_status")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(TO_THE_ARMIES, migrations.RunSQL.noop),
                migrations.RunSQL(EMPTY_UNLESS_SAID, NEVER_EMPTY_BY_ITSELF),
            ],
            state_operations=[migrations.RemoveField("battle", "rank_reason")],
        )
    ]
