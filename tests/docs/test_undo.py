"""docs/undo.md has a row for each address that takes a POST, for its buttons, and for all acts of the admin."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from django.contrib import admin
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from ops.paths import BASE_DIR

ROW = re.compile(r"^\| (?!Act \||---)([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ADDRESS = re.compile(r"`([^`]+)`([^`]*)")
ROWS = ROW.findall((BASE_DIR / "docs/undo.md").read_text(encoding="utf-8"))
LISTED = [(name, words.split()) for _act, addresses, _way in ROWS for name, words in ADDRESS.findall(addresses)]


def test_each_post_of_the_site_is_listed_and_each_listed_one_is_there():
    found = {name for name, view in _views(get_resolver()) if takes_post(view)} | set(acts_of_the_admin())
    listed = {name for name, _words in LISTED}
    assert len(found) > 250
    assert sorted(each for each in found if not any(fnmatchcase(each, name) for name in listed)) == []
    assert sorted(name for name in listed if not any(fnmatchcase(each, name) for each in found)) == []


def test_each_button_of_an_address_is_listed_and_each_listed_one_is_there():
    views = dict(_views(get_resolver()))
    listed: dict[str, set[str]] = {}
    for name, words in LISTED:
        if words:
            listed.setdefault(module_of(views[name]), set()).update(words)
    modules = {module_of(view) for view in views.values() if not hasattr(view, "view_class")}
    found = {name: words for name in modules if (words := set(_buttons(sys.modules[name])))}
    assert found == listed


def test_each_row_says_the_way_back():
    wrong = [act for act, _addresses, way in ROWS if not re.match(r"(Undo: .+|Asks .+|Asks[:,] .+|Edit|Nothing)", way)]
    assert wrong == []


def takes_post(view: Any) -> bool:
    """Whether a view takes a POST: `require_http_methods` and its kin keep their methods in their closure."""
    if hasattr(view, "view_class"):
        return hasattr(view.view_class, "post")
    while view is not None:
        if inspect.isfunction(view) and (methods := inspect.getclosurevars(view).nonlocals.get("request_method_list")):
            return "POST" in methods
        view = getattr(view, "__wrapped__", None)
    return True


def acts_of_the_admin() -> Iterator[str]:
    """The pages and actions of the admin that write, for a superuser."""
    request = RequestFactory().get("/")
    request.user = User(is_active=True, is_staff=True, is_superuser=True)
    for model, of_it in admin.site._registry.items():
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield from (f"admin:{action}" for action in of_it.get_actions(request))
        for word in ("add", "change", "delete"):
            if getattr(of_it, f"has_{word}_permission")(request):
                yield f"{label}_{word}"


def _views(resolver: Any, space: str = "") -> Iterator[tuple[str, Any]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver) and each.namespace != "admin":
            yield from _views(each, f"{space}{each.namespace}:" if each.namespace else space)
        elif isinstance(each, URLResolver):
            yield from ((name, view) for name, view in _own_admin_pages(each))
        elif isinstance(each, URLPattern):
            yield space + (each.name or str(each.pattern)), each.callback


#: Pages of the admin besides those of `acts_of_the_admin`, which have names of their own.
_OF_ROWS = re.compile(r"_(add|change|delete|history|changelist)$")
_READS = {"index", "jsi18n", "view_on_site", "autocomplete", "app_list", "search", "password_change_done"}


def _own_admin_pages(resolver: URLResolver) -> Iterator[tuple[str, Any]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from _own_admin_pages(each)
        elif each.name and each.name not in _READS and (not _OF_ROWS.search(each.name) or "password" in each.name):
            yield f"admin:{each.name}", each.callback


def module_of(view: Any) -> str:
    return inspect.unwrap(view).__module__


def _buttons(module: Any) -> Iterator[str]:
    for call in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "pressed_button":
            for each in call.args[1:]:
                match each:
                    case ast.Constant(value):
                        yield value
                    case ast.Name(name):
                        yield getattr(module, name)
                    case ast.Starred(ast.Name(name)):
                        yield from getattr(module, name)
