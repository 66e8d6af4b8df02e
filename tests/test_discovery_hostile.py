"""Discovery among links, loops, special files, odd names, vanishing directories, deep trees and wild patterns."""

from __future__ import annotations

import inspect
import itertools
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planting import plant
from wcmatch import glob

from scanner.discovery import (
    DiscoveryPolicy,
    PatternError,
    discover_source_files,
    discover_source_sets,
    explain_path,
)
from scanner.discovery.matching import PatternSet, to_wcmatch
from scanner.discovery.patterns import GlobPattern, reachable_directories
from scanner.discovery.walk import MAX_LINK_VISITS

DEFAULT = DiscoveryPolicy()
FOLLOWING = DiscoveryPolicy(follow_symlinks=True)


def paths_of(root: Path, policy: DiscoveryPolicy = DEFAULT, **options) -> list[str]:
    return [file.path for file in discover_source_files(root, policy, **options).files]


def problems_of(root: Path, policy: DiscoveryPolicy = DEFAULT) -> list[tuple[str, str]]:
    return [(item.code, item.file_path) for item in discover_source_files(root, policy).diagnostics]


# --- symbolic links ----------------------------------------------------------------------------------------


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A root with links to a file and a directory outside, to a directory inside, and to nothing."""
    root = plant(tmp_path / "root", "src/a.ts", "lib/b.ts")
    plant(tmp_path / "outside", "deep/o.ts", "node_modules/d.ts", "dist/x.ts")
    (root / "file.ts").symlink_to("../outside/deep/o.ts")
    (root / "dir").symlink_to("../outside")
    (root / "src/twin").symlink_to("../lib")
    (root / "broken.ts").symlink_to("nowhere")
    (root / "readme.md").symlink_to("nowhere")
    return root


def test_links_are_left_alone_by_default_and_counted(linked):
    found = discover_source_files(linked)
    assert [file.path for file in found.files] == ["lib/b.ts", "src/a.ts"]
    assert found.diagnostics == ()
    assert found.unfollowed_links == 5


def test_excluded_links_are_not_counted(linked):
    policy = DiscoveryPolicy(include=("src/*.ts",), exclude=("src/twin",))
    assert discover_source_files(linked, policy).unfollowed_links == 0


def test_followed_links_count_as_what_they_lead_to(linked):
    found = discover_source_files(linked, FOLLOWING)
    assert [file.path for file in found.files] == [
        "dir/deep/o.ts",
        "file.ts",
        "lib/b.ts",
        "src/a.ts",
        "src/twin/b.ts",
    ]
    assert found.unfollowed_links == 0


def test_a_followed_link_that_leads_nowhere_is_reported_if_it_has_a_source_name(linked):
    assert problems_of(linked, FOLLOWING) == [("not-a-regular-file", "broken.ts")]


def test_a_followed_file_has_the_size_of_its_target(tmp_path):
    root = plant(tmp_path, "a.txt")
    (root / "a.txt").write_bytes(b"x" * 321)
    (root / "a.ts").symlink_to("a.txt")
    assert [file.size for file in discover_source_files(root, FOLLOWING).files] == [321]


def test_exclusions_apply_to_the_path_of_a_link_and_not_to_its_target(tmp_path):
    root = plant(tmp_path, "dist/a.ts", "src/b.ts")
    (root / "out").symlink_to("dist")
    (root / "src/dist").symlink_to("../src")
    assert paths_of(root, FOLLOWING) == ["out/a.ts", "src/b.ts"]


def test_a_link_that_names_itself_is_reported(tmp_path):
    (tmp_path / "a.ts").symlink_to("a.ts")
    (tmp_path / "b").symlink_to("b")
    assert problems_of(tmp_path, FOLLOWING) == [("not-a-regular-file", "a.ts")]


@pytest.mark.parametrize("target", [".", "..", "../..", "../../src", "../../../root/src"])
def test_a_link_that_leads_back_up_is_reported_and_not_entered(tmp_path, target):
    root = plant(tmp_path / "root", "src/deep/a.ts")
    (root / "src/deep/up").symlink_to(target)
    assert paths_of(root, FOLLOWING) == ["src/deep/a.ts"]
    assert problems_of(root, FOLLOWING) == [("symlink-loop", "src/deep/up")]


def test_a_loop_over_two_links_ends(tmp_path):
    root = plant(tmp_path, "a/x.ts", "b/y.ts")
    (root / "a/to-b").symlink_to("../b")
    (root / "b/to-a").symlink_to("../a")
    assert paths_of(root, FOLLOWING) == ["a/to-b/y.ts", "a/x.ts", "b/to-a/x.ts", "b/y.ts"]
    assert problems_of(root, FOLLOWING) == [("symlink-loop", "a/to-b/to-a"), ("symlink-loop", "b/to-a/to-b")]


def test_a_loop_outside_the_root_ends(tmp_path):
    outside = plant(tmp_path / "outside", "o.ts")
    (outside / "again").symlink_to(outside)
    root = plant(tmp_path / "root", "a.ts")
    (root / "ext").symlink_to(outside)
    assert paths_of(root, FOLLOWING) == ["a.ts", "ext/o.ts"]
    assert problems_of(root, FOLLOWING) == [("symlink-loop", "ext/again")]


def test_links_to_links_cannot_multiply_without_end(tmp_path):
    """Each of 30 levels links twice to the next: 2**30 paths lead to the last file."""
    levels = [tmp_path / "outside" / f"level{number:02}" for number in range(31)]
    for level in levels:
        plant(level, "a.ts")
    for level, below in itertools.pairwise(levels):
        (level / "left").symlink_to(below)
        (level / "right").symlink_to(below)
    root = tmp_path / "root"
    root.mkdir()
    (root / "start").symlink_to(levels[0])
    first = discover_source_files(root, FOLLOWING)
    assert 31 <= len(first.files) <= 31 * MAX_LINK_VISITS
    assert {item.code for item in first.diagnostics} == {"symlink-loop"}
    assert len(first.diagnostics) <= 31
    assert discover_source_files(root, FOLLOWING) == first


def test_a_crowd_of_links_does_not_shrink_another_set(tmp_path):
    plant(tmp_path / "outside", "a.ts")
    root = plant(tmp_path / "root", "b.ts")
    for number in range(MAX_LINK_VISITS + 5):
        (root / f"link{number:03}").symlink_to("../outside")
    (root / "z").symlink_to("../outside")
    sets = {"all": FOLLOWING, "z": DiscoveryPolicy(include=("z/*.ts",), follow_symlinks=True)}
    found = discover_source_sets(root, sets)
    assert [file.path for file in found.files["z"]] == ["z/a.ts"]
    assert len(found.files["all"]) == MAX_LINK_VISITS + 1
    assert [(item.code, item.file_path) for item in found.diagnostics] == [("symlink-loop", "link064")]


def test_of_a_crowd_of_links_those_with_the_smaller_paths_are_followed(tmp_path):
    plant(tmp_path / "outside", "a.ts")
    root = tmp_path / "root"
    for place in ("b", "a", "c"):
        (root / place).mkdir(parents=True)
        for number in range(40):
            (root / place / f"{39 - number:02}").symlink_to(tmp_path / "outside")
    expected = [f"{place}/{number:02}/a.ts" for place in "abc" for number in range(40)]
    found = discover_source_files(root, FOLLOWING)
    assert [file.path for file in found.files] == expected[:MAX_LINK_VISITS]
    assert [item.file_path for item in found.diagnostics] == ["b/24"]


def test_the_root_itself_may_be_a_link(tmp_path):
    plant(tmp_path / "real", "a.ts")
    (tmp_path / "link").symlink_to("real")
    assert paths_of(tmp_path / "link") == ["a.ts"]


def test_dots_behind_a_link_in_the_root_lead_where_the_system_says(tmp_path):
    plant(tmp_path / "far" / "real", "a.ts")
    plant(tmp_path, "wrong.ts")
    (tmp_path / "link").symlink_to("far/real")
    assert paths_of(Path(f"{tmp_path}/link/..")) == ["real/a.ts"]


# --- what is no regular file -------------------------------------------------------------------------------


def test_a_fifo_with_a_source_name_is_reported_and_not_opened(tmp_path):
    root = plant(tmp_path, "src/a.ts", "dist/a.ts")
    for name in ("src/pipe.ts", "src/pipe.txt", "dist/pipe.ts", ".pipe.ts"):
        os.mkfifo(root / name)
    assert paths_of(root) == ["src/a.ts"]
    (problem,) = discover_source_files(root).diagnostics
    assert (problem.code, problem.file_path) == ("not-a-regular-file", "src/pipe.ts")
    assert "FIFO" in problem.message


def test_a_socket_with_a_source_name_is_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("server.ts")
        (problem,) = discover_source_files(tmp_path).diagnostics
    assert (problem.code, problem.file_path) == ("not-a-regular-file", "server.ts")
    assert "socket" in problem.message


def test_a_followed_link_to_a_device_is_reported(tmp_path):
    (tmp_path / "null.ts").symlink_to("/dev/null")
    (problem,) = discover_source_files(tmp_path, FOLLOWING).diagnostics
    assert (problem.code, problem.file_path) == ("not-a-regular-file", "null.ts")
    assert "device" in problem.message


# --- what cannot be looked at ------------------------------------------------------------------------------


def scandir_that(monkeypatch: pytest.MonkeyPatch, before=None, after=None) -> None:
    """Let something happen to a directory just before or just after it is listed."""
    real = os.scandir

    @contextmanager
    def listing(path):
        if before is not None:
            before(path)
        with real(path) as entries:
            listed = list(entries)
        if after is not None:
            after(path)
        yield iter(listed)

    monkeypatch.setattr(os, "scandir", listing)


def test_a_directory_that_cannot_be_listed_is_reported_and_the_rest_is_found(tmp_path, monkeypatch):
    root = plant(tmp_path, "a/x.ts", "b/deep/y.ts", "c/z.ts")

    def refuse(path):
        if path.endswith("/b"):
            raise PermissionError(13, "Permission denied", path)

    scandir_that(monkeypatch, before=refuse)
    found = discover_source_files(root)
    assert [file.path for file in found.files] == ["a/x.ts", "c/z.ts"]
    (problem,) = found.diagnostics
    assert (problem.code, problem.file_path) == ("directory-unreadable", "b")
    assert "permission denied" in problem.message


def test_a_root_that_cannot_be_listed_is_reported(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    scandir_that(monkeypatch, before=refuse)
    assert problems_of(plant(tmp_path, "a.ts")) == [("directory-unreadable", ".")]


def test_a_listing_that_breaks_off_keeps_what_it_gave(tmp_path, monkeypatch):
    real = os.scandir

    @contextmanager
    def listing(path):
        def some():
            yield next(iter(entries))
            raise OSError(5, "Input/output error", path)

        with real(path) as entries:
            yield some()

    root = plant(tmp_path, "a.ts")
    monkeypatch.setattr(os, "scandir", listing)
    assert paths_of(root) == ["a.ts"]
    assert problems_of(root) == [("directory-unreadable", ".")]


@pytest.mark.parametrize("policy", [DEFAULT, FOLLOWING])
def test_a_directory_that_vanishes_during_the_walk_is_reported(tmp_path, monkeypatch, policy):
    root = plant(tmp_path, "a/x.ts", "b/y.ts")

    def vanish(path):
        if path.endswith("/b"):
            (root / "b/y.ts").unlink(missing_ok=True)
            (root / "b").rmdir()

    scandir_that(monkeypatch, before=vanish)
    found = discover_source_files(root, policy)
    assert [file.path for file in found.files] == ["a/x.ts"]
    assert [(item.code, item.file_path) for item in found.diagnostics] == [("directory-unreadable", "b")]


def test_a_directory_that_turns_into_a_file_is_reported(tmp_path, monkeypatch):
    root = plant(tmp_path, "a.ts")
    (root / "b").mkdir()

    def turn(path):
        if path.endswith("/b"):
            (root / "b").rmdir()
            (root / "b").write_text("")

    scandir_that(monkeypatch, before=turn)
    assert problems_of(root) == [("directory-unreadable", "b")]


def test_a_file_that_vanishes_after_it_was_listed_is_reported(tmp_path, monkeypatch):
    root = plant(tmp_path, "a.ts", "b.ts", "notes.md")

    def vanish(_path):
        (root / "b.ts").unlink()
        (root / "notes.md").unlink()

    scandir_that(monkeypatch, after=vanish)
    found = discover_source_files(root)
    assert [file.path for file in found.files] == ["a.ts"]
    assert [(item.code, item.file_path) for item in found.diagnostics] == [("file-vanished", "b.ts")]


class Unseen:
    """A directory entry whose kind the listing does not tell and the system refuses to tell."""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        raise PermissionError(13, "Permission denied", self.name, follow_symlinks)


def test_an_entry_of_unknown_kind_is_reported_if_it_may_be_wanted(tmp_path, monkeypatch):
    real = os.scandir

    @contextmanager
    def listing(path):
        with real(path) as entries:
            yield iter([*entries, Unseen("b.ts"), Unseen("docs"), Unseen("dist"), Unseen(".git")])

    root = plant(tmp_path, "a.ts")
    monkeypatch.setattr(os, "scandir", listing)
    assert paths_of(root) == ["a.ts"]
    assert problems_of(root) == [("file-unreadable", "b.ts"), ("directory-unreadable", "docs")]


# --- names and depths --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "a b.ts",
        " lead.ts",
        "trail .ts",
        "new\nline.ts",
        "tab\t.ts",
        "\x1b[31m.ts",
        "a\\b.ts",
        "-rf.ts",
        "*.ts",
        "$(x).ts",
    ],
)
def test_odd_names_are_ordinary_names(tmp_path, name):
    (tmp_path / "odd\ndir").mkdir()
    (tmp_path / "odd\ndir" / name).touch()
    assert paths_of(tmp_path) == [f"odd\ndir/{name}"]
    assert explain_path(tmp_path, DiscoveryPolicy(), f"odd\ndir/{name}").is_included


def test_names_that_are_no_utf_8_keep_their_bytes(tmp_path):
    odd = tmp_path / os.fsdecode(b"caf\xe9\xff")
    odd.mkdir()
    (odd / os.fsdecode(b"\x80.ts")).touch()
    (found,) = discover_source_files(tmp_path).files
    assert os.fsencode(found.path) == b"caf\xe9\xff/\x80.ts"
    assert explain_path(tmp_path, DiscoveryPolicy(), found.path).is_included
    assert paths_of(tmp_path, DiscoveryPolicy(exclude=(os.fsdecode(b"caf\xe9*/**"),))) == []


@contextmanager
def shaft(root: Path, name: str, depth: int):
    """A chain of directories, each with a file; rm takes it away, since pytest would recurse into it."""
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.close(os.open("leaf.ts", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        yield root
    finally:
        subprocess.run(["rm", "-rf", str(root)], check=True)


@pytest.fixture
def short_stack():
    """Lower the recursion limit, so that a tree need not be very deep to overflow the stack of a recursive walk."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("short_stack")
def test_a_tree_deeper_than_python_recurses_is_read_to_its_end(tmp_path):
    narrow = DiscoveryPolicy(include=("d/**/leaf.ts", "leaf.ts"))
    with shaft(tmp_path / "root", "d", 400) as root:
        for policy in (DEFAULT, FOLLOWING, narrow):
            found = discover_source_files(root, policy)
            assert len(found.files) == 400
            assert found.diagnostics == ()
        assert explain_path(root, FOLLOWING, found.files[0].path).is_included


@pytest.mark.parametrize("policy", [DEFAULT, FOLLOWING])
def test_a_directory_whose_path_is_too_long_for_the_system_is_reported(tmp_path, policy):
    with shaft(tmp_path / "root", "d" * 250, 20) as root:
        found = discover_source_files(root, policy)
    assert 10 < len(found.files) < 20
    # Whether the directory or first a file in it passes the limit depends on how long the path above it is.
    assert {item.code for item in found.diagnostics} & {"directory-unreadable", "file-unreadable"}
    assert all("name too long" in item.message for item in found.diagnostics)


def test_the_same_tree_made_in_another_order_gives_the_same_result(tmp_path):
    names = [f"{one}/{two}.ts" for one in "zyxabc" for two in "qwerty"]
    first = plant(tmp_path / "one", *names)
    second = plant(tmp_path / "two", *reversed(names))
    assert discover_source_files(first) == discover_source_files(second)


# --- directories to skip -----------------------------------------------------------------------------------


def test_skipped_directories_are_not_entered(tmp_path):
    root = plant(tmp_path, "out/a.ts", "out/deep/a.ts", "src/out/a.ts", "outer/a.ts")
    assert paths_of(root, skip_dirs=[str(root / "out")]) == ["outer/a.ts", "src/out/a.ts"]
    assert paths_of(root, skip_dirs=[f"{root}/src/../out/", str(root / "outer")]) == ["src/out/a.ts"]


def test_skipped_directories_may_be_elsewhere_or_missing(tmp_path):
    root = plant(tmp_path / "root", "a.ts")
    assert paths_of(root, skip_dirs=[str(tmp_path / "other"), str(root / "gone"), "/"]) == ["a.ts"]


def test_skipping_the_root_leaves_nothing(tmp_path):
    root = plant(tmp_path, "a.ts", "src/a.ts")
    assert paths_of(root, skip_dirs=[str(root)]) == []


def test_a_skipped_directory_is_known_by_every_path_that_leads_to_it(tmp_path):
    root = plant(tmp_path / "root", "out/sub/a.ts", "src/b.ts")
    (tmp_path / "alias").symlink_to("root")
    (root / "to-out").symlink_to("out")
    (root / "to-sub").symlink_to("out/sub")
    (root / "src/home").symlink_to("../../alias/out")
    for skipped in (root / "out", tmp_path / "alias/out", root / "to-out"):
        for start in (root, tmp_path / "alias"):
            assert paths_of(start, skip_dirs=[str(skipped)]) == ["src/b.ts"]
            assert paths_of(start, FOLLOWING, skip_dirs=[str(skipped)]) == ["src/b.ts"]


def test_a_skipped_directory_below_a_followed_link_is_known(tmp_path):
    plant(tmp_path / "outside", "out/a.ts", "b.ts")
    root = plant(tmp_path / "root", "c.ts")
    (root / "ext").symlink_to("../outside")
    skipped = [str(tmp_path / "outside/out")]
    assert paths_of(root, FOLLOWING, skip_dirs=skipped) == ["c.ts", "ext/b.ts"]
    assert not explain_path(root, FOLLOWING, "ext/out/a.ts", skip_dirs=skipped).is_included


def test_a_relative_directory_to_skip_is_refused(tmp_path):
    with pytest.raises(ValueError, match="absolute"):
        discover_source_files(tmp_path, skip_dirs=["out"])


# --- wild patterns -----------------------------------------------------------------------------------------

REFUSED = {
    "long": "a" * 70_000,
    "long alternative": "{" + "a" * 5000 + ",b}",
    "many alternatives": "{a,b}" * 12,
    "huge range": "{1..1000000000}",
    "huger range": "{1..99999999999999999999999999}x{1..2000}",
    "deep braces": "{a," * 200 + "}" * 200,
    "many braces": "{}" * 2000,
    "deep groups": "@(a|" * 200 + ")" * 200,
    "deep plain groups": "(" * 1000,
    "multiplying groups": "@(a/b|c)" * 12,
}


@pytest.mark.parametrize("name", sorted(REFUSED))
@pytest.mark.parametrize("place", ["include", "exclude"])
def test_patterns_beyond_the_limits_are_refused_in_one_sentence(tmp_path, name, place):
    with pytest.raises(PatternError) as caught:
        discover_source_files(tmp_path, DiscoveryPolicy(**{place: (REFUSED[name],)}))
    assert len(str(caught.value)) < 200
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


@pytest.mark.parametrize(
    "pattern",
    [
        "[" * 4000,
        "[!" * 2000,
        "[[:" * 1300,
        "{" * 30,
        "{a," * 30,
        "@(" * 30,
        "\\" * 4001,
        "**/" * 1300 + "*.ts",
        "*a" * 40 + "*.ts",
        "**a/" * 900,
        "../" * 1300 + "a.ts",
        "!(!(!(a)))",
        "!",
        "!!a",
        "{}",
        "{,}",
        "[]",
        "[]a",
        "a\0b",
        "\ud800*.ts",
        "(a",
        "a)",
        "a/..",
        ".",
    ],
)
def test_odd_patterns_are_read_quickly_and_match_nothing_here(tmp_path, pattern):
    plant(tmp_path, "src/index.ts")
    start = time.perf_counter()
    assert paths_of(tmp_path, DiscoveryPolicy(include=(pattern,))) in ([], ["src/index.ts"])
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("meaning", "expected"),
    [
        ("a.ts", ()),
        ("src/*.ts", ("src",)),
        ("src/*/x.ts", ("src", "src/*")),
        ("src/**/x/*.ts", ("src", "src/**")),
        ("**/x/*.ts", ("**",)),
        ("src/**", ("src", "src/**")),
        ("src/+(a/b)/c.ts", ("src", "src/**")),
        ("src/x!(a/b)", ("src", "src/**")),
        (r"src/\(a/b.ts", ("src", r"src/\(a")),
    ],
)
def test_the_directories_that_can_hold_a_match_are_told_from_the_pattern(meaning, expected):
    assert reachable_directories(GlobPattern(meaning, meaning)) == expected


# --- laws --------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["src", "lib", "a", "dist", "node_modules", ".hid", "[id]", "(g)", "x y", "b.ts"])
FILES = st.sampled_from(["a.ts", "b.ts", "ab.tsx", "a.d.ts", "a.test.ts", ".h.ts", "c.js", "src"])
SEGMENTS = st.sampled_from(
    [
        "src",
        "lib",
        "a",
        "*",
        "**",
        "?",
        "[a-l]*",
        "[!s]*",
        "{src,lib}",
        "@(src|a)",
        "!(src)",
        "+(a|b)",
        "[id]",
        "(src|a)",
        "x*",
        ".*",
        "..",
    ]
)
ENDS = st.sampled_from(
    [
        "*.ts",
        "a.ts",
        "*",
        "**",
        "**/*",
        "*.{ts,tsx}",
        "!(a).ts",
        "?(a)b.ts",
        "*.d.ts",
        "[ab].ts",
        "dist/**",
        "src",
        "{a,b}*.ts*",
    ]
)
PATTERNS = st.builds(lambda segments, end: "/".join([*segments, end]), st.lists(SEGMENTS, max_size=3), ENDS)
POLICIES = st.builds(
    DiscoveryPolicy,
    include=st.lists(
        PATTERNS | st.just("**/*.ts") | st.builds("!{}".format, PATTERNS), min_size=1, max_size=3
    ).map(tuple),
    exclude=st.lists(PATTERNS, max_size=2).map(tuple),
    follow_symlinks=st.booleans(),
)
PLACES = st.lists(NAMES, max_size=3)
TREES = st.tuples(
    st.lists(st.tuples(PLACES, FILES), min_size=1, max_size=8),
    st.lists(st.tuples(PLACES, st.sampled_from(["link", "l.ts"]), PLACES), max_size=3),
)


@contextmanager
def grown(tree):
    """A temporary directory with the files and links of a drawn tree, as far as they do not collide."""
    files, links = tree
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for place, file in files:
            try:
                root.joinpath(*place).mkdir(parents=True, exist_ok=True)
                root.joinpath(*place, file).touch()
            except OSError:
                continue
        for place, link, target in links:
            try:
                root.joinpath(*place).mkdir(parents=True, exist_ok=True)
                root.joinpath(*place, link).symlink_to(root.joinpath(*target))
            except OSError:
                continue
        yield root


def every_path(directory: Path, above: frozenset[Path] = frozenset()) -> list[Path]:
    """All paths below a directory, also those through links that lead to no directory above them."""
    trail = above | {directory.resolve()}
    paths = []
    for path in directory.iterdir():
        paths.append(path)
        if path.is_dir() and not (path.is_symlink() and path.resolve() in trail):
            paths += every_path(path, trail)
    return paths


@settings(max_examples=60, deadline=None)
@given(TREES, POLICIES)
def test_a_walk_finds_exactly_the_files_that_explanations_call_included(tree, policy):
    with grown(tree) as root:
        candidates = [str(path.relative_to(root)) for path in every_path(root)]
        expected = sorted(path for path in candidates if explain_path(root, policy, path).is_included)
        assert paths_of(root, policy) == expected


@settings(max_examples=30, deadline=None)
@given(TREES, st.lists(POLICIES, min_size=1, max_size=3))
def test_one_walk_for_several_policies_gives_what_each_finds_alone(tree, policies):
    with grown(tree) as root:
        together = discover_source_sets(root, {str(number): policy for number, policy in enumerate(policies)})
        alone = [discover_source_files(root, policy) for policy in policies]
        assert list(together.files.values()) == [found.files for found in alone]
        assert set(together.diagnostics) == {item for found in alone for item in found.diagnostics}
        assert len(set(together.diagnostics)) == len(together.diagnostics)


@settings(max_examples=30, deadline=None)
@given(TREES, POLICIES, PATTERNS)
def test_an_exclusion_only_ever_takes_files_away(tree, policy, pattern):
    with grown(tree) as root:
        fewer = DiscoveryPolicy(policy.include, (*policy.exclude, pattern), policy.follow_symlinks)
        assert set(paths_of(root, fewer)) <= set(paths_of(root, policy))


PATHS = st.builds(lambda place, file: "/".join([*place, file]), st.lists(NAMES, max_size=3), FILES)
SIMPLE = st.sampled_from(
    ["**/*.ts", "**/*a.ts", "**/dist", "**/src", "**/a.ts", "**/*s", "src/*.ts", "**/[ab].ts", "*", "**/x*"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(SIMPLE, max_size=4), PATHS)
def test_the_short_cuts_of_a_pattern_set_change_no_answer(globs, path):
    flags = glob.GLOBSTAR | glob.EXTGLOB | glob.DOTGLOB | glob.FORCEUNIX | glob.CASE
    full = any(glob.globmatch(path, to_wcmatch(item, item), flags=flags) for item in globs)
    assert PatternSet((item, item) for item in globs).matches(path) is full
