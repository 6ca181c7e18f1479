from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="phase",
            field=models.CharField(
                blank=True,
                choices=[("command", "Command Phase"), ("activation", "Activation Phase"), ("end", "End Phase")],
                max_length=10,
            ),
        ),
    ]
