"""The lines of a list as they were before a chat, a forum, a web page or a spreadsheet decorated them."""

import csv
import re
from collections.abc import Iterator, Sequence
from html import unescape

from lists.formats.limits import MAX_LINE, lines_of
from lists.formats.words import COLUMNS

_ENDS = re.compile(r"</?(?:br|p|li|ul|ol|div|tr|h[1-6])\s?/?>|\[/?(?:quote|list|code|tr)\]", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]>|\[/t[dh]\]", re.IGNORECASE)
_TAG = re.compile(
    r"</?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200})?/?>|\[/?(?:b|i|u|s|size|color|url|spoiler|center|hide|t[dh])\]",
    re.IGNORECASE,
)
#: Between the lines of a list on Longshanks; Discord hides a text with them.
_BARS = re.compile(r"(?<![ \t])(?:[ \t]*(?:\|\||‖))+[ \t]*")
#: Who wrote a line of a chat, and when.
_SAID = re.compile(r"\[?[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{2,4},? [0-9:]{4,8}(?: [AP]M)?\]?(?: -)? [^:]{1,40}: ")
_QUOTED = re.compile(r"(?:>\s*)+|#{1,6}\s+")
_CHECKBOX = re.compile(r"^(\s*(?:[-*+]\s+)?)\[[ xX✓]?\]\s+")
_RULE = re.compile(r"[\s=_~*|:+–—-]*")
_DECORATION = re.compile(r"\*\*|__|~~|`+|>!|!<|_(?=\()|(?<=\))_")
#: Points of a unit and of its upgrades: "(55 + 10 = 65)".
_ADDED = re.compile(r"([(\[][0-9]{1,3}) ?\+ ?[0-9]{1,3}(?: ?= ?[0-9]{1,4})?(?=[)\]])")
_SLANTED = re.compile(r"(?<![\w*])\*(?=[^\W\d_])([^*]{1,60}\w)\*(?![\w*])")
_AROUND = re.compile(r"(?:\++\s|[=#*~_-]{2,})\s*(\w.*[^\s=#*~_-])\s*?(?:\s\++|[=#*~_-]{2,})")
#: What somebody replaced; then what it is in the lines.
_COMMENT = re.compile(r"(?<=\S)[ \t]+(?://|#(?!\d|[ \t]*[|;,\t])|<--?|←)[ \t]*(\S.*)")
_STRUCK = re.compile(r"(?:~~|[<\[](?:s|del|strike)[>\]])(.{1,200}?)(?:~~|[<\[]/(?:s|del|strike)[>\]])")
STRUCK = "~~"
#: Between two columns of a page; columns of cards with their points.
_GAP = re.compile(r"(?<=\S) {5,}(?=\S)|^ {15,}(?=\S)")
_PRICE = re.compile(r"\w.*\([0-9]{1,3}\)")
#: The shortest and longest lines that mail programs break.
_NARROWEST, _WIDEST = 60, 80
_QUANTITY = re.compile(r",?\s+(?:qty|quantity|anzahl)[.:]?\s*([0-9]{1,2})\b", re.IGNORECASE)
_LEADER = re.compile(r"(?<![.…\s])\s*(?:\.{3,}|…+)\s*(?=[0-9])")
_EMOJI = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u20e3]+ ?|<?:\\w{2,32}:(?:[0-9]+>)? ?")
#: Points behind a name: "42", ": 42", "- 42". Smaller numbers are those of cards, and "Clone Force 99" is a title.
BARE_POINTS = re.compile(
    r"(?:(?<=[^\W\d_]|[\"”')\]])(?<!Force)(?<! [xX×])(?:\s+[-–—:+]\s*|\s*:\s*|,?\s+)|(?<=\w)\s+[-–—]\s+)"
    r"\+?([1-9][0-9]{1,3}|[5-9])(?=\s*[:,](?!\d)|\s*$|\s+=|\s+[-–—]\s|\s*\+\s*[^\W\d]|\s*[(\[]?[x×]\s?[0-9]{1,2}[)\]]?(?:$|[,;]))"
)
_WORD = re.compile(
    r"(?<=[0-9])(?:\s?(?:p|pp|pc|pts?|points?|pkt|punk\w{0,4}|punt[oi]s?)\b\.?)?(?:\s(?:each|ea|apiece|je)\b)?"
    r"(?=[\s)\],;:=|]|$)",
    re.IGNORECASE,
)
#: Numbers and names as programs read them from pictures: "(l0)", "= 19O", "Snowtr0opers".
_READ = re.compile(r"(?<=[(\[=/ ])(?=\S{0,3}[0-9]|(?<! )l[oO][)\]])[0-9lIOo]{2,4}(?=[)\]/ ]|$)|(?<=[a-z])[01](?=[a-z])")
#: Signs of keyboards for Chinese and Japanese, to those of others.
FULL_WIDTH = {0xFEE0 + letter: letter for letter in range(0x21, 0x7F)}
_PLAIN = FULL_WIDTH | str.maketrans("{}", "()")
_LETTERS, _FIGURES = str.maketrans("01", "ol"), str.maketrans("lIOo", "1100")

#: Headings of columns, in six languages.
_CELL_POINTS = re.compile(
    r"\(?([0-9]{1,4})(?:\s*(?:pts|points)\.?)?\)?|[x×]\s?([0-9]{1,2})|([0-9]{1,2})\s?[x×]", re.IGNORECASE
)
_TOTALS = re.compile(r"(?:grand |army )?(?:total|totale|gesamt|summe|suma|somme|razem)\W*", re.IGNORECASE)
#: No army has more copies of a unit.
_MOST_COPIES = 12


def plain_lines(text: str) -> list[str]:
    """Return the lines of a list. Refuses what `lines_of` refuses."""
    text = text if "\n" in text.strip() else text.replace("\\n", "\n")
    text = _CELL_END.sub("\t", _ENDS.sub("\n", text.replace("[*]", "\n- ")))
    struck = [STRUCK + each for pattern in (_STRUCK, _COMMENT) for each in pattern.findall(text)]
    text = unescape(_TAG.sub("", _COMMENT.sub("", _STRUCK.sub("", text))))
    if not re.search(r"^\s*\|[^|]", text, re.MULTILINE):
        text = _BARS.sub("\n", text)
    lines = [line for line in _whole([*map(_plain, lines_of(text))]) if not _RULE.fullmatch(line)]
    return [line.replace("\t", "    ") for line in (*_without_tables(lines), *struck)]


def _whole(lines: Sequence[str]) -> list[str]:
    """Return the lines of a page with two columns one below the other, those that a mail program broke as they were."""
    split = [_GAP.split(line, maxsplit=1) for line in lines]
    if any(len(parts) == 2 and all(map(_PRICE.search, parts)) for parts in split):
        return [parts[0] for parts in split] + [parts[1] for parts in split if len(parts) == 2]
    found: list[str] = []
    width, room = max(map(len, lines), default=0), 0
    for line in lines:
        breaks = (
            _NARROWEST <= width <= _WIDEST
            and len(line.split(" ")[0]) >= room
            and not re.search(r"^[\s*•+>–—-]|:|^$|^[0-9]{1,2} ?[x×]", line)
        )
        last = found[-1] if found else ""
        # Within brackets, or with the points of cards and without those at its end.
        lacks = re.search(r"[(\[]\+?[0-9]|•", last) and not re.search(r"[)\]0-9]$|[^ •]•+$", last)
        if breaks and (lacks or max(map(last.rfind, "([")) > max(map(last.rfind, ")]"))):
            found[-1] += f" {line}" if not last.endswith("Orders") else ""
        else:
            found.append(line)
        room = width - len(line)
    return found


def _plain(line: str) -> str:
    if len(line) > MAX_LINE:
        return line
    line = _SAID.sub("", _SLANTED.sub(r"\1", _DECORATION.sub("", line.replace("\\", ""))), count=1)
    quoted = _QUOTED.match(line.lstrip())
    line = (line.lstrip()[quoted.end() :] if quoted else line).rstrip(" ")
    line = re.sub(r"^(\s*)([*_])(?=[^\s*_])(.*[^\s*_])\2$", r"\1\3", _CHECKBOX.sub(r"\1", line))
    around = _AROUND.fullmatch(line.strip())
    return around[1] if around else _LEADER.sub(" - ", line)


def plain_signs(line: str) -> str:
    """Return a line without emoji, words for points and signs at its end, with the plain twins of wide signs."""
    line = _ADDED.sub(r"\1", _QUANTITY.sub(r" x\1", line))
    line = _WORD.sub("", _EMOJI.sub("", line.replace("➕", "+ ")).translate(_PLAIN)).rstrip(" .,;")
    return _READ.sub(lambda found: found[0].translate(_LETTERS if found[0] in "01" else _FIGURES), line)


def _without_tables(lines: Sequence[str]) -> Iterator[str]:
    """Yield each row of a table as the line that it would be in a text, and other lines as they are."""
    columns: list[str] = []
    sign = ""
    for line in lines:
        if re.fullmatch(r"\|[^|]+\|", line.strip()):  # of a frame
            line = line.strip()[1:-1].strip()
        for each in (sign,) if sign else "\t|;,":
            cells = [cell.strip() for cell in _cells(line if sign else line.strip(), each)]
            if len(cells) > 1:  # empty ones at the end may be gone
                cells += [""] * (len(columns) - len(cells))
            found = [COLUMNS.get(cell.lower(), "upgrades") for cell in cells]
            if "unit" in found and len(cells) > 1 and found.count("upgrades") < len(cells) - 1:
                columns, sign = found, each
                break
            if len(cells) > 1 and (sign or each in "\t|" or (cells[2:] and any(map(str.isdigit, cells[1:])))):
                indent = "" if sign else line[: len(line) - len(line.lstrip())]
                yield indent + _row(cells, columns if len(columns) == len(cells) else [])
                break
        else:
            yield line


def _cells(line: str, sign: str) -> list[str]:
    if sign not in line or len(line) > MAX_LINE:
        return [line]
    return line.strip().strip("|").split("|") if sign == "|" else next(csv.reader([line], delimiter=sign))


def _row(cells: Sequence[str], columns: Sequence[str]) -> str:
    words: list[tuple[str, str]] = []
    count = points = 0
    for place, cell in enumerate(cells):
        column = columns[place] if columns else "unit" if not words else "upgrades"
        found = _CELL_POINTS.fullmatch(cell)
        number = int(next(filter(None, found.groups()))) if found else None
        if number is None:
            words += [(column, cell)] if column and re.search(r"\w", cell) else []
        elif (
            column == "count"
            or (found and not found[1])
            or (not columns and not words[1:] and number <= _MOST_COPIES and not count)
        ):
            count = number
        elif column and words[1:] and points and column != "points":  # of the upgrade before it
            words[-1] = (words[-1][0], f"{words[-1][1]} ({cell})")
        elif column == "points" or (column and not points):
            points = number
    named = [cell for column, cell in words if column == "unit"]
    upgrades = ", ".join(cell for column, cell in words if column != "unit")
    before = f"{count}x " if count > 1 else ""
    after = f" ({points})" if points else ""
    if named and _TOTALS.fullmatch(named[0]):
        return f"Total {points or count}"
    if not named:
        return f"  - {upgrades}{after}" if upgrades else ""
    sign = ": " if columns or count or points else ", "  # without numbers they may be units
    return f"{before}{' '.join(named)}{after}" + (f"{sign}{upgrades}" if upgrades else "")
