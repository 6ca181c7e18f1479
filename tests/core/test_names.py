"""Names are sorted and searched as people do (law 15)."""

import re

import pytest
from django.conf import settings

from core.names import is_named, name_order
from ops.paths import BASE_DIR


def test_names_are_sorted_without_accents_and_numbers_by_value():
    names = ["Bob 9", "Bob 10", "Edgar", "Élodie", "emil", "Łukasz", "Madis", "Ödön", "Østen", "Zoë"]
    assert sorted([*names[4:], *names[:4]], key=name_order) == names
    assert sorted(["A 2b", "A", "10", "A 2", "9"], key=name_order) == ["9", "10", "A", "A 2", "A 2b"]


@pytest.mark.parametrize(
    ("search", "found"),
    [("elodie", True), ("ÉLO", True), ("dupont élodie", True), ("lukasz", False), ("oconnor", False), ("o'con", True),
     ("", True)],
)  # fmt: skip
def test_a_search_finds_names_by_words_without_case_and_accents(search, found):
    assert is_named(search, "Élodie  Dupont", "O’Connor's") == found


#: Where the database sorts by a name, and why it may.
SORTED_BY_THE_DATABASE = {
    "campaign/archive/views.py": "the options of a select: campaigns",
    "campaign/models/campaign.py": "the order of the admin and of selects; names of campaigns, no people",
    "campaign/organizer_tasks/queries.py": "campaigns, cut and joined in the database",
    "campaign/pages/register_links.py": "campaigns, the first few of them",
    "campaign/schedule/queries.py": "a download of one's own data, by campaign",
    "campaign/story_arcs/queries.py": "the options of a select: printed cards, and campaigns",
    "campaign/teams/models.py": "the order of the admin",
    "catalogue/admin.py": "cards",
    "dashboard/inbox.py": "battles by campaign",
    "dashboard/views.py": "campaigns beside a rule",
    "registers/models.py": "the order of the admin",
    "tournaments/models/league.py": "the order of the admin",
}
#: `order_by` or `ordering` with a field that is a name.
BY_NAME = re.compile(r"""(?:order_by\(|ordering = )[^)\]\n]*["'][-_a-z]*(?<![a-z])(?:user|nick|known_)?name["']""")


def test_the_database_sorts_no_names_of_people():
    found = {
        str(path.relative_to(BASE_DIR))
        for app in settings.INSTALLED_APPS
        if (folder := BASE_DIR / app.split(".")[0]).is_dir()
        for path in folder.rglob("*.py")
        if "migrations" not in path.parts and BY_NAME.search(path.read_text(encoding="utf-8"))
    }
    assert found == set(SORTED_BY_THE_DATABASE)
