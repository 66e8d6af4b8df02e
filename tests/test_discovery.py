"""What discovery takes and leaves out: patterns, prunes, reasons, and several sets in one walk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from planting import plant
from wcmatch import glob

from scanner.discovery import (
    AGENT_SURFACE_INCLUDE,
    AGENT_SURFACE_PRUNES,
    DEFAULT_EXCLUDE,
    DEFAULT_INCLUDE,
    MANDATORY_PRUNES,
    SVELTE_INCLUDE,
    DiscoveryPolicy,
    FoundFile,
    PatternError,
    discover_source_files,
    discover_source_sets,
    explain_path,
    is_agent_surface_source_path,
    is_pruned_agent_surface_path,
)

HERE = Path(__file__).parent
DEFAULT = DiscoveryPolicy()
TREES = HERE / "parity" / "trees"
PREDICATES: dict[str, dict[str, bool]] = json.loads(
    (HERE / "data" / "path-predicates.json").read_text("utf-8")
)


def paths_of(root: Path, policy: DiscoveryPolicy = DEFAULT) -> list[str]:
    return [file.path for file in discover_source_files(root, policy).files]


def included(root: Path, *patterns: str) -> list[str]:
    return paths_of(root, DiscoveryPolicy(include=patterns, exclude=()))


def kept(root: Path, *excludes: str) -> list[str]:
    return paths_of(root, DiscoveryPolicy(include=("**/*",), exclude=excludes))


# --- whole trees with known results ------------------------------------------------------------------------


def tree_policy(options: dict[str, Any]) -> DiscoveryPolicy:
    return DiscoveryPolicy(
        include=tuple(options.get("include", DEFAULT_INCLUDE)),
        exclude=tuple(options.get("exclude", DEFAULT_EXCLUDE)),
        follow_symlinks=options.get("followSymbolicLinks", False),
    )


@pytest.mark.parametrize("name", sorted(path.name for path in TREES.iterdir() if path.is_dir()))
def test_each_parity_tree_gives_its_expected_files(name):
    options = json.loads((TREES / f"{name}.options.json").read_text("utf-8"))
    expected = json.loads((TREES / f"{name}.expected.json").read_text("utf-8"))
    found = discover_source_files(TREES / name, tree_policy(options))
    assert [file.path for file in found.files] == expected["files"]
    assert found.diagnostics == ()


def test_all_parity_trees_are_there():
    assert len([path for path in TREES.iterdir() if path.is_dir()]) == 16


# --- patterns ----------------------------------------------------------------------------------------------

GARDEN = (
    "a.ts",
    "ab.ts",
    "abb.ts",
    "b.tsx",
    "file1.ts",
    "file2.ts",
    "file10.ts",
    "src/a.ts",
    "src/b.ts",
    "src/x/a.ts",
    "src/x/y/a.ts",
    "src/x/y/b.tsx",
    "src/(shop)/a.ts",
    "shop/a.ts",
    "[id]/a.ts",
    "i/a.ts",
    "{set}/a.ts",
    "lib/Upper.ts",
    "lib/alpha.ts",
    "lib/beta.ts",
    "lib/1x.ts",
    "my forms/a.ts",
    "ünï/a.ts",
    "a+b/a.ts",
    "dir.ts/inside.ts",
    "!bang/a.ts",
    "@scope/a.ts",
    "a,b/a.ts",
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("garden"), *GARDEN)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.ts", "a.ts ab.ts abb.ts file1.ts file10.ts file2.ts"),
        ("src/*.ts", "src/a.ts src/b.ts"),
        ("./src/*.ts", "src/a.ts src/b.ts"),
        ("src//*.ts", "src/a.ts src/b.ts"),
        ("src/./*.ts", "src/a.ts src/b.ts"),
        ("lib/../src/*.ts", "src/a.ts src/b.ts"),
        ("src/**/a.ts", "src/(shop)/a.ts src/a.ts src/x/a.ts src/x/y/a.ts"),
        ("src/x/**", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("src/x/**/*", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("src/*/**", "src/(shop)/a.ts src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("lib/*.ts/**", "lib/1x.ts lib/Upper.ts lib/alpha.ts lib/beta.ts"),
        ("src/**.ts", "src/a.ts src/b.ts"),
        ("**.tsx", "b.tsx src/x/y/b.tsx"),
        ("src/x", ""),
        ("src/x/", ""),
        ("src", ""),
        ("SRC/*.ts", ""),
        ("lib/[a-c]*.ts", "lib/alpha.ts lib/beta.ts"),
        ("lib/[!a-c]*.ts", "lib/1x.ts lib/Upper.ts"),
        ("lib/[^a-c]*.ts", "lib/1x.ts lib/Upper.ts"),
        ("lib/[[:digit:]]*.ts", "lib/1x.ts"),
        ("lib/[[:upper:][:digit:]]*.ts", "lib/1x.ts lib/Upper.ts"),
        ("file[0-9].ts", "file1.ts file2.ts"),
        ("file{1..3}.ts", "file1.ts file2.ts"),
        ("file?.ts", "file1.ts file2.ts"),
        ("file??.ts", "file10.ts"),
        ("{src,lib}/{a,alpha}.ts", "lib/alpha.ts src/a.ts"),
        ("src/{x/y,(shop)}/a.ts", "src/x/y/a.ts"),
        ("src/x/{y/*,{a,z}}.{ts,tsx}", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("a?(b).ts", "a.ts ab.ts"),
        ("a*(b).ts", "a.ts ab.ts abb.ts"),
        ("a+(b).ts", "ab.ts abb.ts"),
        ("@(a|ab).ts", "a.ts ab.ts"),
        ("(a|ab).ts", "a.ts ab.ts"),
        ("a(b)?.ts", "a.ts ab.ts"),
        ("[ab]+.ts", "a.ts ab.ts abb.ts"),
        ("!(src)/alpha.ts", "lib/alpha.ts"),
        ("lib/!(alpha|beta).ts", "lib/1x.ts lib/Upper.ts"),
        ("@(src/x|lib)/[ab]*.ts", "lib/alpha.ts lib/beta.ts src/x/a.ts"),
        ("src/(x|x/y)/*.ts", "src/x/a.ts src/x/y/a.ts"),
        ("[id]/*.ts", "[id]/a.ts i/a.ts"),
        (r"\[id\]/*.ts", "[id]/a.ts"),
        ("[[]id]/*.ts", "[id]/a.ts"),
        (r"src/\(shop\)/*.ts", "src/(shop)/a.ts"),
        ("{set}/*.ts", "{set}/a.ts"),
        (r"\!bang/*.ts", "!bang/a.ts"),
        ("@scope/*.ts", "@scope/a.ts"),
        ("a,b/*.ts", "a,b/a.ts"),
        ("a+b/*.ts", "a+b/a.ts"),
        ("ünï/*.ts", "ünï/a.ts"),
        ("dir.ts/*", "dir.ts/inside.ts"),
        ("*.ts/*.ts", "dir.ts/inside.ts"),
        ("?/a.ts", "i/a.ts"),
        ("../*/a.ts", ""),
        ("/src/*.ts", ""),
    ],
)
def test_an_include_pattern_takes_what_fast_glob_takes(garden, pattern, expected):
    assert included(garden, pattern) == expected.split()


def test_a_pattern_may_hold_spaces(garden):
    assert included(garden, "my forms/*.ts") == ["my forms/a.ts"]


@pytest.mark.parametrize(
    "patterns", [("src/*.ts", "!src/b.ts"), ("!src/b.ts", "src/*.ts"), ("src/*.ts", "!src/{b,c}.ts")]
)
def test_a_negated_include_pattern_excludes_wherever_it_stands(garden, patterns):
    assert included(garden, *patterns) == ["src/a.ts"]


def test_negated_patterns_alone_include_nothing(garden):
    assert included(garden, "!src/**") == []


def test_no_include_pattern_takes_no_file(garden):
    assert included(garden) == []


def test_a_file_that_several_patterns_match_is_listed_once(garden):
    assert included(garden, "src/a.ts", "src/*.ts", "src/[a]*") == ["src/a.ts", "src/b.ts"]


@pytest.mark.parametrize(
    ("exclude", "gone"),
    [
        ("src/x", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("src/x/**", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("src/x/**/*", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("./src/x/**", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("!src/x/**", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("**/y", "src/x/y/a.ts src/x/y/b.tsx"),
        ("src/{x,z}", "src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("src/*/y/**", "src/x/y/a.ts src/x/y/b.tsx"),
        ("src/*/**", "src/(shop)/a.ts src/x/a.ts src/x/y/a.ts src/x/y/b.tsx"),
        ("src/*", "src/a.ts src/b.ts"),
        ("src/x*", ""),
        ("src/x/", ""),
        ("**/b.tsx/**", "b.tsx src/x/y/b.tsx"),
        ("*.tsx", "b.tsx"),
        ("dir.ts", "dir.ts/inside.ts"),
        ("x", ""),
        ("X/**", ""),
    ],
)
def test_an_exclude_pattern_leaves_out_what_fast_glob_leaves_out(garden, exclude, gone):
    assert sorted(set(GARDEN) - set(kept(garden, exclude))) == gone.split()


@pytest.mark.parametrize("exclude", ["**", "**/*"])
def test_everything_can_be_excluded(garden, exclude):
    assert kept(garden, exclude) == []


def test_absolute_patterns_below_the_root_count_from_the_root(tmp_path):
    root = plant(tmp_path / "we[ird] {a,b}" / "!(x)", "src/a.ts", "src/b.ts", "gen/c.ts")
    policy = DiscoveryPolicy(include=(f"{root}/**/*.ts", f"!{root}/src/b.ts"), exclude=(f"{root}/gen/**",))
    assert paths_of(root, policy) == ["src/a.ts"]
    assert included(root, f"{glob.escape(str(root))}/src/*.ts") == ["src/a.ts", "src/b.ts"]


def test_an_absolute_pattern_may_name_the_root_by_the_path_behind_a_link(tmp_path):
    root = plant(tmp_path / "real", "src/a.ts")
    link = tmp_path / "link"
    link.symlink_to(root)
    assert included(link, f"{root}/src/*.ts") == ["src/a.ts"]
    assert included(link, f"{link}/src/*.ts") == ["src/a.ts"]


def test_a_pattern_that_climbs_out_may_come_back_in(tmp_path):
    root = plant(tmp_path / "here", "src/a.ts")
    plant(tmp_path / "there", "src/a.ts")
    assert included(root, "../here/src/*.ts", "../there/src/*.ts") == ["src/a.ts"]


@pytest.mark.parametrize("include", [("",), ("**/*.ts", "")])
def test_an_empty_pattern_is_refused(include):
    with pytest.raises(PatternError, match="empty"):
        DiscoveryPolicy(include=include)
    with pytest.raises(PatternError, match="empty"):
        DiscoveryPolicy(exclude=include)


# --- prunes and defaults -----------------------------------------------------------------------------------

PRUNED = (
    "node_modules/d/a.ts",
    "p/node_modules/d/a.ts",
    ".hid/a.ts",
    "src/.hid/deep/a.ts",
    ".a.ts",
    "src/.a.ts",
)


def test_hidden_names_and_dependencies_are_left_out_whatever_the_policy_says(tmp_path):
    root = plant(tmp_path, "src/a.ts", *PRUNED)
    everything = DiscoveryPolicy(include=("**/*.ts", *PRUNED, ".hid/*", "node_modules/**"), exclude=())
    assert paths_of(root, everything) == ["src/a.ts"]


def test_the_mandatory_prunes_say_as_patterns_what_is_left_out(tmp_path):
    root = plant(tmp_path, "src/a.ts", *PRUNED)
    assert MANDATORY_PRUNES == ("**/node_modules/**", "**/.*/**", "**/.*")
    assert {explain_path(root, DiscoveryPolicy(exclude=()), path).pattern for path in PRUNED} == set(
        MANDATORY_PRUNES
    )


def test_names_that_merely_look_like_pruned_ones_are_taken(tmp_path):
    names = ["node_modules.ts", "src/distance/a.ts", "src/my.node_modules/a.ts", "src/node_modules.d/a.ts"]
    assert paths_of(plant(tmp_path, *names)) == sorted(names)


def test_the_default_exclusions_leave_out_output_declarations_and_tests(tmp_path):
    root = plant(
        tmp_path,
        "a.ts",
        "b.tsx",
        "c.js",
        "d.mts",
        "e.d.ts",
        "f.test.ts",
        "f.spec.tsx",
        "g.tests.ts",
        "dist/a.ts",
        "p/dist/a.ts",
        "p/build/a.ts",
        "p/__tests__/a.ts",
        "p/Dist/a.ts",
        "coverage/a.ts",
    )
    assert paths_of(root) == ["a.ts", "b.tsx", "coverage/a.ts", "g.tests.ts", "p/Dist/a.ts"]


def test_exclusions_of_the_caller_replace_the_default_ones(tmp_path):
    root = plant(tmp_path, "a.ts", "a.d.ts", "dist/a.ts", "scripts/a.ts")
    assert paths_of(root, DiscoveryPolicy(exclude=("scripts/**",))) == ["a.d.ts", "a.ts", "dist/a.ts"]


@pytest.mark.parametrize("above", ["build", "dist/.worktrees/x", "node_modules/pkg"])
def test_the_names_above_the_root_play_no_part(tmp_path, above):
    assert paths_of(plant(tmp_path / above, "src/a.ts", "build/b.ts")) == ["src/a.ts"]


def test_a_pruned_directory_is_never_listed(tmp_path, monkeypatch):
    root = plant(
        tmp_path, "src/a.ts", "src/dist/a.ts", "node_modules/d/a.ts", ".git/a.ts", "docs/a.md", "gen/b/a.ts"
    )
    listed = []
    real = os.scandir

    def spy(path):
        listed.append(os.path.relpath(path, root))
        return real(path)

    monkeypatch.setattr(os, "scandir", spy)
    assert paths_of(root, DiscoveryPolicy(include=("{src,gen}/*.ts",), exclude=("**/dist/**", "gen"))) == [
        "src/a.ts"
    ]
    assert listed == [".", "src"]


# --- what is returned --------------------------------------------------------------------------------------


def test_files_have_their_size_and_come_sorted_by_code_points(tmp_path):
    for name in ("b.ts", "B.ts", "a/z.ts", "a.ts", "a-b.ts", "é.ts", "\U0001f600.ts", "\uffee.ts"):
        plant(tmp_path, name)
    (tmp_path / "b.ts").write_bytes(b"12345")
    files = discover_source_files(tmp_path).files
    names = [file.path for file in files]
    assert names == ["B.ts", "a-b.ts", "a.ts", "a/z.ts", "b.ts", "é.ts", "\uffee.ts", "\U0001f600.ts"]
    assert FoundFile("b.ts", 5) in files


def test_the_root_may_be_relative_or_end_in_a_slash(tmp_path, monkeypatch):
    plant(tmp_path / "p", "src/a.ts")
    monkeypatch.chdir(tmp_path / "p")
    for root in (".", "src/..", f"{tmp_path}/p/", "../p", Path()):
        assert [file.path for file in discover_source_files(root).files] == ["src/a.ts"]


def test_a_root_that_is_missing_or_no_directory_is_refused(tmp_path):
    plant(tmp_path, "a.ts")
    with pytest.raises(FileNotFoundError):
        discover_source_files(tmp_path / "gone")
    with pytest.raises(NotADirectoryError):
        discover_source_files(tmp_path / "a.ts")


def test_an_empty_root_gives_nothing(tmp_path):
    found = discover_source_files(tmp_path)
    assert (found.files, found.diagnostics, found.unfollowed_links) == ((), (), 0)


# --- several sets in one walk ------------------------------------------------------------------------------

SETS = {
    "classes": DiscoveryPolicy(),
    "surface": DiscoveryPolicy(AGENT_SURFACE_INCLUDE, AGENT_SURFACE_PRUNES),
    "svelte": DiscoveryPolicy(SVELTE_INCLUDE, AGENT_SURFACE_PRUNES),
    "nothing": DiscoveryPolicy(include=()),
    "models": DiscoveryPolicy(include=("src/{models,shop}/**/*.ts",), follow_symlinks=True),
}


def forest(root: Path) -> Path:
    plant(
        root, "a.ts", "a.js", "A.svelte", "dist/a.ts", "build/B.svelte", "src/models/m.ts", "src/models/m.js"
    )
    plant(root, "coverage/c.ts", "src/ui/U.svelte", "src/__typechecks__/t.ts", "e.d.ts", "outside/o.ts")
    (root / "src/shop").symlink_to(root / "outside")
    (root / "src/ui/loop").symlink_to(root)
    os.mkfifo(root / "src/models/pipe.ts")
    os.mkfifo(root / "src/ui/Pipe.svelte")
    return root


def test_sets_found_in_one_walk_are_those_of_separate_walks(tmp_path):
    root = forest(tmp_path)
    sets = discover_source_sets(root, SETS)
    assert sets.files == {name: discover_source_files(root, policy).files for name, policy in SETS.items()}
    assert [file.path for file in sets.files["models"]] == ["src/models/m.ts", "src/shop/o.ts"]
    assert [file.path for file in sets.files["classes"]] == [
        "a.ts",
        "coverage/c.ts",
        "outside/o.ts",
        "src/__typechecks__/t.ts",
        "src/models/m.ts",
    ]
    assert sets.files["nothing"] == ()


def test_sets_report_each_problem_once(tmp_path):
    sets = discover_source_sets(forest(tmp_path), SETS)
    assert [(item.code, item.file_path) for item in sets.diagnostics] == [
        ("not-a-regular-file", "src/models/pipe.ts"),
        ("not-a-regular-file", "src/ui/Pipe.svelte"),
    ]
    assert sets.unfollowed_links == 2


def test_sets_list_each_directory_once(tmp_path, monkeypatch):
    root = forest(tmp_path)
    listed = []
    real = os.scandir

    def spy(path):
        listed.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", spy)
    discover_source_sets(root, SETS)
    assert len(listed) == len(set(listed)) > 5


def test_no_policies_give_no_sets(tmp_path):
    assert discover_source_sets(plant(tmp_path, "a.ts"), {}).files == {}


# --- explanations ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def riddle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("riddle") / "root"
    plant(
        root,
        "src/a.ts",
        "src/a.js",
        "src/gen/b.ts",
        "src/a.test.ts",
        "node_modules/d/a.ts",
        ".hid/a.ts",
        ".a.ts",
    )
    plant(root, "out/a.ts", "../outside/o.ts")
    (root / "link.ts").symlink_to("src/a.ts")
    (root / "linked").symlink_to("../outside")
    (root / "src/up").symlink_to("..")
    (root / "broken.ts").symlink_to("nowhere")
    (root / "to-out").symlink_to("out")
    os.mkfifo(root / "pipe.ts")
    return root


PLAIN = DiscoveryPolicy(exclude=("**/gen/**", "**/*.test.ts"))
FOLLOWING = DiscoveryPolicy(exclude=("**/gen/**",), follow_symlinks=True)


@pytest.mark.parametrize(
    ("policy", "path", "is_included", "reason", "pattern"),
    [
        (PLAIN, "src/a.ts", True, "The include pattern '**/*.ts' matches it.", "**/*.ts"),
        (PLAIN, "./src/../src/a.ts", True, "The include pattern '**/*.ts' matches it.", "**/*.ts"),
        (PLAIN, "src/a.js", False, "No include pattern matches it.", None),
        (PLAIN, "src/a.test.ts", False, "The exclude pattern '**/*.test.ts' matches it.", "**/*.test.ts"),
        (
            PLAIN,
            "src/gen/b.ts",
            False,
            "It lies in 'src/gen'. The exclude pattern '**/gen/**' matches it.",
            "**/gen/**",
        ),
        (PLAIN, "src/gen", False, "The exclude pattern '**/gen/**' matches it.", "**/gen/**"),
        (
            PLAIN,
            "node_modules/d/a.ts",
            False,
            "It lies in 'node_modules'. Directories called node_modules are never entered.",
            "**/node_modules/**",
        ),
        (
            PLAIN,
            ".hid/a.ts",
            False,
            "It lies in '.hid'. Hidden files and directories are never scanned.",
            "**/.*/**",
        ),
        (PLAIN, ".a.ts", False, "Hidden files and directories are never scanned.", "**/.*"),
        (PLAIN, "src/gone.ts", False, "There is no such file.", None),
        (PLAIN, "gone/gone.ts", False, "There is no such file.", None),
        (PLAIN, "src/a.ts/x.ts", False, "There is no such file.", None),
        (PLAIN, "nul\0.ts", False, "There is no such file.", None),
        (PLAIN, "n" * 300, False, "It cannot be looked at: file name too long.", None),
        (PLAIN, "../outside/o.ts", False, "It lies outside the scan root.", None),
        (PLAIN, "/etc/passwd", False, "It lies outside the scan root.", None),
        (PLAIN, ".", False, "It is the scan root; the files below it are judged one by one.", None),
        (
            PLAIN,
            "src",
            False,
            "It is a directory that may be entered; the files below it are judged one by one.",
            None,
        ),
        (PLAIN, "pipe.ts", False, "It is not a regular file.", None),
        (PLAIN, "link.ts", False, "It is a symbolic link, and links are not followed.", None),
        (
            PLAIN,
            "linked/o.ts",
            False,
            "It lies in 'linked'. It is a symbolic link, and links are not followed.",
            None,
        ),
        (FOLLOWING, "link.ts", True, "The include pattern '**/*.ts' matches it.", "**/*.ts"),
        (FOLLOWING, "linked/o.ts", True, "The include pattern '**/*.ts' matches it.", "**/*.ts"),
        (FOLLOWING, "broken.ts", False, "It is a symbolic link that leads to no file.", None),
        (
            FOLLOWING,
            "src/up/src/a.ts",
            False,
            "It lies in 'src/up'. It is a symbolic link that leads back to a directory above it.",
            None,
        ),
    ],
)
def test_an_explanation_names_the_rule_that_decides(riddle, policy, path, is_included, reason, pattern):
    found = explain_path(riddle, policy, path)
    assert (found.is_included, found.reason, found.pattern) == (is_included, reason, pattern)


def test_an_explanation_gives_the_path_relative_to_the_root(riddle):
    assert explain_path(riddle, PLAIN, f"{riddle}/src/x/../a.ts").path == "src/a.ts"
    assert explain_path(riddle, PLAIN, "/etc/passwd").path == "/etc/passwd"


def test_an_explanation_names_the_negated_include_pattern(riddle):
    policy = DiscoveryPolicy(include=("**/*.ts", "!src/{a,b}.ts"))
    assert explain_path(riddle, policy, "src/a.ts").pattern == "!src/{a,b}.ts"


@pytest.mark.parametrize(
    ("policy", "path", "reason"),
    [
        (PLAIN, "out/a.ts", "It lies in 'out'. It is a directory that this run does not enter."),
        (FOLLOWING, "to-out/a.ts", "It lies in 'to-out'. It is a directory that this run does not enter."),
    ],
)
def test_an_explanation_knows_the_directories_to_skip(riddle, policy, path, reason):
    assert explain_path(riddle, policy, path, skip_dirs=[f"{riddle}/out"]).reason == reason


def test_an_explanation_says_so_when_the_root_itself_is_skipped(riddle):
    found = explain_path(riddle, PLAIN, "src/a.ts", skip_dirs=[str(riddle)])
    assert found.reason == "The scan root itself is a directory that this run does not enter."


# --- paths of the agent surface ----------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "expected"), PREDICATES["isAgentSurfaceSourcePath"].items())
def test_agent_surface_sources_are_told_by_their_path(path, expected):
    assert is_agent_surface_source_path(path) is expected


@pytest.mark.parametrize(("path", "expected"), PREDICATES["isPrunedAgentSurfacePath"].items())
def test_pruned_agent_surface_paths_are_told_by_their_directories(path, expected):
    assert is_pruned_agent_surface_path(path) is expected


def test_the_prunes_of_the_agent_surface_as_patterns_leave_out_the_same_files(tmp_path):
    names = sorted(PREDICATES["isPrunedAgentSurfacePath"])
    root = plant(tmp_path, *names)
    found = paths_of(root, DiscoveryPolicy(SVELTE_INCLUDE, AGENT_SURFACE_PRUNES))
    assert found == [name for name in names if not is_pruned_agent_surface_path(name)]
