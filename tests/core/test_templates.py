"""Templates stay short enough to read at one go."""

from ops.paths import BASE_DIR

MOST_LINES = 150


def test_no_template_is_longer_than_its_limit() -> None:
    lengths = {
        path: len(path.read_text().splitlines()) for path in BASE_DIR.glob("templates/**/*.html") if path.is_file()
    }
    assert len(lengths) > 500
    assert {str(path): length for path, length in lengths.items() if length > MOST_LINES} == {}
