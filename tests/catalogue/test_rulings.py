"""The rulings as the page shows them."""

from catalogue.rulings import Ruling, Section, read, sections

TEXT = """# The rules
## 1. Words
- **Ranks**: commander.

## 2. A Register
#### R1

**A new Register.** Starts with *CP* 600 <b>.

Code: `founding.open_register`
Tests: `test_founding.test_a`

#### R2

**Combat Potential.** Nothing is lost. **[reading]**
### Step 1, Agendas
#### R25

**Progress.** Test the conditions.
"""


def test_number_heading_and_text_alone():
    assert read(TEXT) == [
        Section(
            "A Register",
            [
                Ruling("R1", "A new Register", "Starts with <em>CP</em> 600 &lt;b&gt;.", False),
                Ruling("R2", "Combat Potential", "Nothing is lost.", True),
            ],
        ),
        Section("Step 1, Agendas", [Ruling("R25", "Progress", "Test the conditions.", False)]),
    ]


def test_all_of_them():
    assert [ruling.number for section in sections() for ruling in section.rulings] == [
        f"R{number}" for number in range(1, 52)
    ]
