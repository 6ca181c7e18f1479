"""The rulings as the page shows them."""

from catalogue.rulings import Ruling, Section, read, sections
from rules.house import BY_NAME, SWITCHES

TEXT = """# The rules
## 1. Words
- **Ranks**: commander.

## 2. A Register
#### R1

**A new Register.** Starts with *CP* 600 <b>.

Code: `founding.open_register`
Tests: `test_founding.test_a`

#### R2

**Combat Potential.** Nothing is lost. **[reading]** (`above_potential`)
### Step 1, Agendas
#### R25

**Progress.** Test the conditions.
"""


def test_number_heading_and_text_alone():
    assert read(TEXT) == [
        Section(
            "A Register",
            [
                Ruling("R1", "A new Register", "Starts with <em>CP</em> 600 &lt;b&gt;."),
                Ruling("R2", "Combat Potential", "Nothing is lost.", (BY_NAME["above_potential"],)),
            ],
        ),
        Section("Step 1, Agendas", [Ruling("R25", "Progress", "Test the conditions.")]),
    ]


def test_all_of_them():
    assert [ruling.number for section in sections() for ruling in section.rulings] == [
        f"R{number}" for number in range(1, 52)
    ]


def test_every_switch_stands_with_its_ruling():
    found = [switch for section in sections() for ruling in section.rulings for switch in ruling.switches]
    assert sorted(found, key=SWITCHES.index) == list(SWITCHES)
