"""Each schema is a good document, says what the code says, and is printed by the command."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jsonschema
import pytest
from schema_parts import NAMES, described_properties, property_of, subschemas, validator

from scanner import CompletenessStatus, Depth, NumericKind, ScanOptions, Severity
from scanner.artifacts import FORMAT_VERSION, TOOL_NAME
from scanner.diagnostics import CODES
from scanner.extraction.members import STATIC_PROPERTIES
from scanner.lineage import LINEAGE_VERSION, ParentRule
from scanner.manifest.adapter import MANIFEST_VERSION
from scanner.manifest.field_options import COLUMN_TYPES
from scanner.records import Accessibility
from scanner.resolution.modules import RouteRule
from scanner.schemas import load_schema, schema_names
from scanner.surface import intents
from scanner.surface.records import Effect, Helper, Plane, StepFailure
from workers.changes import Action, Exposure, Impact, Subject
from workers.lineages.chains import ChainEnd


class TestSchemas:
    """Each schema is sound by itself and says what the code says."""

    def test_there_is_one_for_everything_written(self) -> None:
        assert schema_names() == NAMES

    @pytest.mark.parametrize("name", NAMES)
    def test_is_a_schema_that_stands_alone(self, name: str) -> None:
        schema = json.loads(load_schema(name))
        embedded = {part["$id"] for part in subschemas(schema) if "$id" in part}
        wanted = {part["$ref"].partition("#")[0] for part in subschemas(schema) if "$ref" in part} - {""}

        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["$id"] == f"urn:scan-cluster:schema:{FORMAT_VERSION}:{name}"
        assert schema["title"]
        assert schema["description"]
        assert wanted <= embedded

    @pytest.mark.parametrize("name", NAMES)
    def test_describes_every_property(self, name: str) -> None:
        undescribed = [key for key, part in described_properties(name) if not part.get("description")]

        assert undescribed == []

    @pytest.mark.parametrize("name", NAMES)
    def test_is_closed_but_where_sources_decide(self, name: str) -> None:
        open_ones = [
            sorted(part["properties"])
            for part in subschemas(json.loads(load_schema(name)))
            if isinstance(part.get("properties"), dict) and part.get("additionalProperties") is not False
        ]

        assert open_ones in ([], [["__report", "__tenancy", "sqlType", "underlyingType"]])

    @pytest.mark.parametrize(
        ("name", "path", "values"),
        [
            ("diagnostics", "$defs diagnostic properties severity enum", Severity),
            ("index", "properties options properties depth enum", Depth),
            ("classes", "$defs field properties accessibility enum", Accessibility),
            ("classes", "$defs method properties accessibility enum", Accessibility),
            ("inspect", "$defs finding properties kind enum", NumericKind),
            ("verify", "properties packages items properties status enum", CompletenessStatus),
            ("diff", "$defs change properties impact enum", Impact),
            ("diff", "$defs change properties subject enum", Subject),
            ("diff", "$defs change properties action enum", Action),
            ("diff", "$defs change properties exposure enum", Exposure),
            ("lineage", "$defs parent properties rule enum", ParentRule),
            ("lineage", "$defs hop properties rule enum", RouteRule),
            ("explain", "properties end enum", ChainEnd),
            ("agent-surface", "$defs diagnostic properties helper enum", Helper),
            ("agent-surface", "$defs intent properties capability properties effect enum", Effect),
            ("agent-surface", "$defs intent properties planes items enum", Plane),
            ("agent-surface", "$defs playbook properties planes items enum", Plane),
            ("agent-surface", "$defs playbook properties onStepFailure enum", StepFailure),
        ],
    )
    def test_lists_the_values_that_the_code_knows(self, name: str, path: str, values: Any) -> None:
        assert property_of(name, *path.split()) == [member.value for member in values]

    def test_knows_the_targets_of_intents(self) -> None:
        branches = property_of("agent-surface", "$defs", "intent", "properties", "target", "oneOf")
        found = {branch["properties"]["registry"]["const"]: branch for branch in branches}

        assert found.keys() == intents._TARGETS.keys()
        for registry, rule in intents._TARGETS.items():
            properties = found[registry]["properties"]
            assert properties.keys() == {"registry", *rule.options}
            assert set(found[registry]["required"]) == {"registry", rule.required}
            for key, choices in rule.options.items():
                assert properties[key].get("enum") == (None if choices is None else list(choices))

    def test_knows_the_column_types_and_static_properties(self) -> None:
        stated, _ = property_of("manifest", "$defs", "field", "properties", "type", "anyOf")
        statics = property_of("manifest", "$defs", "model", "properties", "staticProperties", "properties")

        assert set(stated["enum"]) == COLUMN_TYPES
        assert tuple(statics) == STATIC_PROPERTIES

    def test_knows_the_options_that_shape_results(self) -> None:
        options = property_of("index", "properties", "options", "properties")

        assert len(options) == len(dataclasses.fields(ScanOptions))

    def test_knows_the_constants(self) -> None:
        assert property_of("manifest", "properties", "version", "const") == MANIFEST_VERSION
        assert property_of("index", "properties", "tool", "properties", "name", "const") == TOOL_NAME
        assert property_of("lineage", "properties", "formatVersion", "const") == LINEAGE_VERSION
        for name in ("index", "run", "diagnostics", "diff", "explain"):
            assert property_of(name, "properties", "formatVersion", "const") == FORMAT_VERSION

    @pytest.mark.parametrize("code", sorted(CODES))
    def test_takes_every_code(self, code: str) -> None:
        entry = {"code": code, "severity": "info", "filePath": "", "message": "x"}
        counts = {"error": 0, "warning": 0, "info": 1}

        assert validator("diagnostics").is_valid(
            {"formatVersion": 1, "counts": counts, "diagnostics": [entry]}
        )


class TestCommand:
    """``schema`` prints what the library has."""

    def test_without_a_name_it_lists_the_schemas(self, command: Any) -> None:
        finished = command("schema")

        assert (finished.code, finished.out.decode().split()) == (0, list(NAMES))

    @pytest.mark.parametrize("name", NAMES)
    def test_with_a_name_it_prints_the_schema(self, command: Any, name: str) -> None:
        finished = command("schema", name)

        assert (finished.code, finished.out) == (0, load_schema(name))

    @pytest.mark.parametrize("name", ["models", "", "../schemas/run", "run.schema.json"])
    def test_another_name_is_wrong_usage_that_names_the_known_ones(self, command: Any, name: str) -> None:
        finished = command("schema", name)

        assert (finished.code, finished.out) == (2, b"")
        assert ", ".join(NAMES) in finished.err
