from __future__ import annotations

import pytest
from reporting_samples import finding

from scanner.diagnostics import Severity
from workers.reporting.gate import FailOn, is_failing

ERROR, WARNING, INFO = (finding(severity=severity) for severity in Severity)


@pytest.mark.parametrize(
    ("diagnostics", "failing_on"),
    [
        ([], set()),
        ([INFO], set()),
        ([INFO, WARNING], {FailOn.WARNING}),
        ([ERROR], {FailOn.WARNING, FailOn.ERROR}),
        ([INFO, WARNING, ERROR], {FailOn.WARNING, FailOn.ERROR}),
    ],
)
def test_findings_fail_from_the_chosen_gravity_on(diagnostics, failing_on):
    assert {fail_on for fail_on in FailOn if is_failing(diagnostics, fail_on)} == failing_on


def test_levels_are_written_as_on_the_command_line():
    assert [level.value for level in FailOn] == ["error", "warning", "never"]
