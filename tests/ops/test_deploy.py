"""What a host is given to copy: files that name each other have to agree."""

import inspect
import re
from io import BytesIO

import yaml
from django_prometheus.middleware import Metrics
from prometheus_client import REGISTRY

from ops.monitoring.metrics import QueueCollector
from ops.paths import BASE_DIR
from ops.web_worker import discard


def read(name: str) -> str:
    return (BASE_DIR / name).read_text(encoding="utf-8")


def test_the_example_names_all_that_compose_asks_for():
    asked = set(re.findall(r"\$\{(\w+)", read("docker-compose.yml")))
    assert set(re.findall(r"^#?([A-Z_]+)=", read(".env.example"), re.MULTILINE)) == asked


def test_compose_passes_on_all_settings_of_the_guide():
    """Except where the image keeps its files and listens, which Compose sets itself, and what is for developers."""
    rows = re.findall(r"^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|", read("docs/hosting.md"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"[A-Z_]+", row)}
    passed = set(yaml.safe_load(read("docker-compose.yml"))["x-musterbook"]["environment"])
    assert named - passed == {"PORT", "HOST", "DATA_DIR", "STATIC_ROOT", "EXPORT_DIR", "DEBUG"}


def test_the_example_holds_no_secret():
    filled = re.findall(r"^([A-Z_]+)=(.+)$", read(".env.example"), re.MULTILINE)
    assert filled == []


def test_nothing_of_a_machine_gets_into_the_image():
    left_out = set(read(".dockerignore").split())
    # .git, .env and its copies, .data, .venv and all caches begin with a dot.
    assert {".*", "backups", "*.zip", "**/*.dump", "**/*.part", "docker-compose*.yml", "secret-key*"} <= left_out
    assert not re.search(r"^(ENV|ARG) .*(SECRET_KEY|PASSWORD)", read("Dockerfile"), re.MULTILINE)


def test_everything_that_runs_has_a_limit_of_memory():
    services = yaml.safe_load(read("docker-compose.yml"))["services"]
    assert [name for name, service in services.items() if "mem_limit" not in service] == []
    units = sorted((BASE_DIR / "deploy" / "systemd").glob("*.service"))
    assert [unit.name for unit in units if "\nMemoryMax=" not in unit.read_text()] == []


def test_nothing_that_runs_in_a_container_has_rights_of_root_that_it_does_not_need():
    services = yaml.safe_load(read("docker-compose.yml"))["services"]
    assert [
        name for name, service in services.items() if not (service.get("read_only") and service["cap_drop"] == ["ALL"])
    ] == []
    assert services["database"]["user"] == "postgres"


def test_a_password_may_have_any_character():
    """Not in an address, where @ or # would have to be encoded."""
    environment = yaml.safe_load(read("docker-compose.yml"))["x-musterbook"]["environment"]
    assert [name for name, value in environment.items() if "POSTGRES_PASSWORD" in value] == ["PGPASSWORD"]


def test_both_units_have_the_same_sandbox():
    """The backup has one of its own on top: nobody else reads what it writes."""

    def sandbox(unit: str) -> set[str]:
        words = r"^(?:Protect|Private|Restrict|Lock|NoNew|Capability|SystemCall)\w+=.*$"
        return set(re.findall(words, read(f"deploy/systemd/{unit}.service"), re.MULTILINE))

    assert sandbox("musterbook-backup") == sandbox("musterbook")
    assert len(sandbox("musterbook")) > 10


def test_the_image_is_published_for_both_kinds_of_machine():
    steps = yaml.safe_load(read(".github/workflows/image.yml"))["jobs"]["image"]["steps"]
    [build] = [step["with"] for step in steps if step.get("uses", "").startswith("docker/build-push-action@")]
    assert (build["platforms"], build["push"]) == ("linux/amd64,linux/arm64", True)


def test_units_and_guide_speak_of_the_same_places():
    guide = read("docs/hosting.md")
    for unit in sorted((BASE_DIR / "deploy" / "systemd").iterdir()):
        places = re.findall(r"^(?:WorkingDirectory|EnvironmentFile)=(\S+)", unit.read_text(), re.MULTILINE)
        assert [place for place in places if place not in guide] == [], unit.name


def test_the_guide_has_the_proxy_that_compose_has():
    def directives(text: str) -> list[str]:
        """What Caddy reads of it."""
        return [line for line in text.strip().splitlines() if not line.lstrip().startswith("#")]

    compose = directives(
        read("deploy/Caddyfile")
        .replace("{$UPSTREAM:app:8000}", "127.0.0.1:8000")
        .replace("{$SITE_NAME}", "musterbook.example.org")
        .replace("request_buffers 16MiB", "buffer_requests\n\t\tmax_buffer_size 16MiB")  # as Debian's Caddy has it
    )
    guide = read("docs/hosting.md")
    begin = guide.index("{\n", guide.index("cat > /etc/caddy/Caddyfile"))
    assert directives(guide[begin : guide.index("END\n", begin)]) == compose


def test_a_refused_file_is_read_as_far_as_a_proxy_sends_it():
    """A proxy that still sends when the site hangs up answers 502, and nobody learns that the file was too large."""
    most = {
        *re.findall(r"max_size (\d+)MB", read("deploy/Caddyfile") + read("docs/hosting.md") + read("docs/scaling.md")),
        *re.findall(r"client_max_body_size (\d+)m;", read("deploy/nginx/musterbook.conf")),
        *re.findall(r"maxRequestBodyBytes: (\d+)000000", read("deploy/traefik/musterbook.yml")),
    }
    assert most == {"210"}
    body = BytesIO(bytes(220 * 1024**2))  # nginx counts in 1024s
    discard(body)
    assert body.read(1) == b""


def test_no_proxy_lets_a_slow_phone_keep_the_site_waiting():
    """A worker has two threads: what is sent waits at the proxy until it is whole."""
    places = ["deploy/Caddyfile", "docs/hosting.md", "docs/scaling.md"]
    proxies = [part for place in places for part in read(place).split("reverse_proxy ")[1:]]
    assert [re.findall(r"(?:request_buffers|max_buffer_size) \w+", part.partition("\n\t}")[0]) for part in proxies] == [
        ["request_buffers 16MiB"], *[["request_buffers 16MiB", "max_buffer_size 16MiB"]] * 2
    ]  # fmt: skip


def test_prometheus_asks_for_figures_that_there_are():
    sentences = [yaml.safe_load(read(f"deploy/prometheus/{name}.yml")) for name in ("prometheus", "alerts")]
    settings, alerts = sentences
    assert settings["rule_files"] == ["alerts.yml"]
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    assert [rule["alert"] for rule in rules] == ["PlayersCannotBeServed", "PagesFail", "PagesAreSlow", "TheQueueStands"]
    pattern = r"(?:musterbook|django)_\w+"
    named = {name for rule in rules for name in re.findall(pattern, rule["expr"])}
    documented = set(re.findall(rf"^\| `({pattern})`", read("docs/monitoring.md"), re.MULTILINE))
    of_queue = set(re.findall(r'"(musterbook_\w+)"', inspect.getsource(QueueCollector)))
    Metrics.get_instance()  # which the first request of a process does otherwise
    families = [each for each in REGISTRY.collect() if re.match(pattern, each.name)]
    known = of_queue | {f"{each.name}{ending}" for each in families for ending in ("", "_total", "_bucket")}
    assert (named - known, documented - known) == (set(), set())
    ours = {each.name for each in families if each.name.startswith("musterbook_")}
    assert ours | of_queue <= {name.removesuffix("_total") for name in documented}
