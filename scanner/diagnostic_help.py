"""What each diagnostic code means at length: for the page of codes and for tools that show help beside a finding.

:mod:`scanner.diagnostics` keeps one sentence a code; the longer texts stand here, so that the table stays short.
Every key of ``CODES`` has an entry. Texts are plain English with names in backticks, so they read the same as
plain text and as Markdown.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import CODES


@dataclass(frozen=True, slots=True)
class CodeHelp:
    """The long explanation of one diagnostic code.

    Attributes:
        meaning: What the scanner found and what follows for the artifacts.
        remedy: What to do about it.
        example: Source text that gives the diagnostic, or None where no source text shows it.
        language: Language of *example*, as Markdown names it.
    """

    meaning: str
    remedy: str
    example: str | None = None
    language: str = "ts"

    @property
    def text(self) -> str:
        """The explanation as plain text, the example indented."""
        parts = [self.meaning]
        if self.example is not None:
            parts.append("\n".join(f"    {line}" for line in self.example.splitlines()))
        return "\n\n".join([*parts, self.remedy])

    @property
    def markdown(self) -> str:
        """The explanation as Markdown, the example as a fenced block."""
        parts = [self.meaning]
        if self.example is not None:
            parts.append(f"```{self.language}\n{self.example}\n```")
        return "\n\n".join([*parts, f"**Mend it:** {self.remedy}"])


def help_for(code: str) -> CodeHelp:
    """Return the explanation of *code*; a code without one is explained by its summary, or by its name alone."""
    known = HELP.get(code)
    if known is not None:
        return known
    rule = CODES.get(code)
    return CodeHelp(
        rule.summary if rule is not None else f"The scanner reported `{code}`.", "See the message."
    )


HELP: Final = MappingProxyType(
    {
        "syntax-error": CodeHelp(
            "The parser met text that no TypeScript or JavaScript grammar has. Declarations that stand clear of it are"
            " still read; those that it touches may be missing from the artifacts.",
            "Mend the source. If the file is no program text of yours (a template, a fixture), exclude its path.",
            "class Order extends SmrtObject {\n  total = ;\n}",
        ),
        "unresolved-config": CodeHelp(
            "The config of a decorator holds a value that only running the code could give: an imported constant, a"
            " call, a spread of something that may have been changed. This is an error, since an `api`, `mcp` or `cli`"
            " key that goes missing leaves that surface open by default.",
            "Write the value as a literal, or spread a module-level `const` object literal of the same file that"
            " nothing else in the file changes or passes on.",
            "import { LOCKED } from './policy';\n\n@smrt({ ...LOCKED })\nexport class Invoice extends SmrtObject {}",
        ),
        "empty-config-key": CodeHelp(
            "A decorator config has an entry whose key is the empty string. No setting has that name, so the entry"
            " was left out.",
            "Give the entry the name that was meant, or remove it.",
            "@smrt({ '': true })\nexport class Stall extends SmrtObject {}",
        ),
        "unreadable-options": CodeHelp(
            "The options of a field decorator, or a static property such as `uiSlots`, hold something that is no"
            " literal. Options are never evaluated, and half of them could mean something else than all of them, so"
            " the whole options object was left out of the manifest.",
            "Write every option as a literal: text, numbers, nested objects and arrays, sums of literals.",
            "@smrt()\nexport class Parcel extends SmrtObject {\n  @field({ max: limitFor('weight') })\n  weight = 0.5;\n}",
        ),
        "unreadable-relation": CodeHelp(
            "A relationship decorator names its target by an expression from which no class name can be read, so the"
            " field stands in the manifest without a related class.",
            "Name the class by a string, by its identifier, or by a thunk without parameters that returns it:"
            " `'Customer'`, `Customer` or `() => Customer`.",
            "@smrt()\nexport class Invoice extends SmrtObject {\n"
            "  @foreignKey(pick(Customer, Supplier))\n  partyId = '';\n}",
        ),
        "duplicate-class": CodeHelp(
            "Two classes of one package have the same name, but a manifest has one key for them. A decorated class is"
            " kept before an undecorated one, then the one with the smaller path; this one was not kept. It is an"
            " error when the class left out is a model, and a warning otherwise.",
            "Rename one of the two classes, or exclude the file that does not belong to the package.",
        ),
        "ambiguous-type": CodeHelp(
            "A field's type is a name that several files of the package declare with different meanings, and neither"
            " the field's own file nor an import says which. One was taken; the column type may be the wrong one.",
            "Import the type that is meant, or rename one of the aliases.",
        ),
        "chain-too-deep": CodeHelp(
            "A class has so many ancestors that the scanner stopped following them. Fields of the ancestors further up"
            " are missing under single-table inheritance.",
            "Shorten the chain of base classes; generated code is the usual cause.",
        ),
        "ambiguous-parent": CodeHelp(
            "A class extends a name that several classes of the package have, and neither its own file nor an import"
            " says which. One was taken; the fields inherited from it may be the wrong ones.",
            "Import the base class from the file that is meant.",
            "// Record stands in a/record.ts and in b/record.ts; nothing here imports one.\n"
            "export class Receipt extends Record {}",
        ),
        "numeric-precision": CodeHelp(
            "The default of a persisted number field decides its column: `0` gives an integer, `0.0` a decimal. Money"
            " is kept exactly, in whole minor units, so a name such as `subtotal` with a decimal default contradicts"
            " itself; a rate is a fraction, so a name such as `taxRate` with a whole default does.",
            "Change the default, or say what is meant with `@field({ type: 'decimal' })` or"
            " `@field({ type: 'integer' })`.",
            "@smrt()\nexport class Receipt extends SmrtObject {\n  subtotal = 0.0; // money: 0\n"
            "  taxRate = 0; // rate: 0.0\n}",
        ),
        "nesting-too-deep": CodeHelp(
            "A type or literal is nested deeper than the scanner follows. The bound keeps hostile or generated input"
            " from exhausting the machine; what lies below it was not read.",
            "Flatten the type or literal, or exclude the file if it is generated.",
        ),
        "invalid-encoding": CodeHelp(
            "The file holds bytes that are not valid UTF-8. They were read as the replacement character U+FFFD, as"
            " JavaScript tools do, so a name or text that contains them is not what its author typed.",
            "Save the file as UTF-8.",
        ),
        "nul-bytes": CodeHelp(
            "The file is valid UTF-8 but holds NUL characters, which no source text needs. They were read as blanks.",
            "Remove them, or write `\\0` inside the string that is meant to hold one.",
        ),
        "file-binary": CodeHelp(
            "The file has a source file's name, but holds NUL bytes and is not valid UTF-8. It was taken for binary"
            " (or for UTF-16 text), and nothing in it was read.",
            "Convert it to UTF-8 if it is source text; otherwise exclude its path.",
        ),
        "file-unreadable": CodeHelp(
            "The operating system would not open or read the file, for the reason that the message gives. Nothing in"
            " it reached the artifacts.",
            "Mend its permissions, or exclude its path.",
        ),
        "file-vanished": CodeHelp(
            "The file was there when the directories were listed and gone when its turn came: something else changed"
            " the tree during the scan.",
            "Scan again while nothing writes to the tree.",
        ),
        "file-too-large": CodeHelp(
            "The file is larger than the limit, so it was not read. Sources of that size are mostly bundles or"
            " generated code.",
            "Exclude it, or raise the limit with `--max-file-bytes`.",
        ),
        "not-a-regular-file": CodeHelp(
            "Something with a source file's name is a FIFO, a socket, a device or a symbolic link to nothing. It was"
            " not opened for reading, since that might never end.",
            "Remove it, or exclude its path.",
        ),
        "directory-unreadable": CodeHelp(
            "A directory could not be listed, so the files below it are unknown to the scanner and missing from the"
            " artifacts.",
            "Mend its permissions, or exclude the directory.",
        ),
        "symlink-loop": CodeHelp(
            "A symbolic link leads back to a directory above it, so following it would never end. It was not followed;"
            " what it leads to is read where it really stands.",
            "Remove the link, exclude it, or scan without following symbolic links.",
        ),
        "duplicate-package": CodeHelp(
            "Two package.json files of the tree state the same name. Both packages get a manifest, with keys that are"
            " alike, and an import by that name is taken to mean the one in the smaller directory.",
            "Rename one of the two, or exclude the one that is a copy.",
            '{ "name": "@acme/orders" }',
            "json",
        ),
        "invalid-tsconfig": CodeHelp(
            "Imports are mapped by `paths` and `baseUrl` of the nearest `tsconfig.json` and the files that it extends. One"
            " of these could not be used as written: it is no JSON, extends itself or a file that is not there, or holds"
            " a pattern without meaning. What could be read still counts; an import that is not followed falls back to"
            " the bare name.",
            "Mend what the message names.",
            '{ "extends": "./tsconfig.json" }',
            "json",
        ),
        "invalid-manifest": CodeHelp(
            "A class takes its parent from an installed package, and the manifest that this package publishes is missing"
            " though its `package.json` exports it, cannot be read, or holds objects that are no models. Such a class"
            " lacks what it would inherit, and is no model unless it is decorated.",
            "Install the package anew, or build it again with its manifest. A package that publishes none is no fault.",
            '{ "exports": { "./manifest": "./dist/manifest.json" } }',
            "json",
        ),
        "invalid-package-json": CodeHelp(
            "A `package.json` is not valid JSON, so its directory does not count as a package: its classes were put"
            " into the package above it.",
            "Mend the file, or exclude the directory if it is a fixture.",
            '{ "name": "@acme/orders", }',
            "json",
        ),
        "scan-crash": CodeHelp(
            "Scanning the file failed in a way that the scanner did not foresee. The other files were still scanned;"
            " nothing from this one reached the artifacts.",
            "Report it together with the file. Until it is mended, exclude the path.",
        ),
        "scan-timeout": CodeHelp(
            "Scanning the file took longer than the limit and was given up. The other files were still scanned;"
            " nothing from this one reached the artifacts.",
            "Exclude the file if it is generated; otherwise split it, or raise the limit.",
        ),
        "non-literal-argument": CodeHelp(
            "An intent or playbook is read from the one object literal it is declared with. This one holds something"
            " else somewhere: a name, a call, a spread, a template literal, a computed or shorthand key. The"
            " declaration was not emitted.",
            "Write every value as a literal. A tool set that really depends on computed or fetched data belongs into"
            " `useWebMcpTool` instead.",
            "defineIntent({\n  id: 'order.refund',\n  description: TEXTS.refund,\n"
            "  target: { registry: 'control', action: 'focus', controlId: 'refund' },\n});",
        ),
        "not-module-scope": CodeHelp(
            "An intent or playbook is declared inside a function, class, condition or loop, so whether and how often"
            " it exists depends on running the code. The declaration was not emitted.",
            "Move the call to the top level of the module: as a statement, an exported constant or an element of a"
            " constant array. For tools that come and go at run time, use `useWebMcpTool`.",
            "if (isAdmin) {\n  defineIntent({ id: 'order.refund', /* … */ });\n}",
        ),
        "argument-count": CodeHelp(
            "`defineIntent` and `definePlaybook` take exactly one argument, the object literal with the declaration."
            " This call has none or several, so the declaration was not emitted.",
            "Put everything into one object literal. For tools built from data, use `useWebMcpTool`.",
            "defineIntent('order.refund', { description: 'Refund an order.' });",
        ),
        "incomplete-declaration": CodeHelp(
            "The object literal could be read, but a part that every declaration needs is missing: `id`,"
            " `description` and `target` of an intent; `key`, `title`, `description` and `steps` of a playbook. The"
            " declaration was not emitted.",
            "Add what the message names.",
            "definePlaybook({ key: 'close-day', title: 'Close the day', steps: [{ kind: 'intent', id: 'till.count' }] });",
        ),
        "invalid-identity": CodeHelp(
            "The declaration is complete, but the runtime would refuse it: for example an intent `id` that is not"
            " lower case and dotted, an unknown key, a target of an unknown kind, a malformed `capability`, or a"
            " playbook without steps. Nothing is repaired by guessing, so it was not emitted.",
            "Change what the message names to a value that the runtime accepts.",
            "defineIntent({\n  id: 'RefundOrder', // wanted: 'order.refund'\n  description: 'Refund an order.',\n"
            "  target: { registry: 'control', action: 'focus', controlId: 'refund' },\n});",
        ),
        "svelte-declaration": CodeHelp(
            "An intent or playbook is declared inside a `.svelte` file. Those files are searched for such calls but"
            " not parsed, so the declaration was not emitted.",
            "Move it to a `.ts` module beside the component and import it from there.",
            "<script lang=\"ts\">\n  import { defineIntent } from '@happyvertical/smrt-web/intents';\n"
            "  defineIntent({ id: 'order.refund', /* … */ });\n</script>",
            "svelte",
        ),
        "duplicate-identity": CodeHelp(
            "Two declarations claim one identity: the same intent `id`, the same playbook `key`, or two intent ids"
            " that give the same tool name, since dots and hyphens both become underscores. The one with the smaller"
            " path was kept; this one was not emitted.",
            "Rename or remove one of the two.",
            "defineIntent({ id: 'order.re-fund', /* … */ });\ndefineIntent({ id: 'order.re.fund', /* … */ });",
        ),
        "tool-name-collision": CodeHelp(
            "The tool name of an intent is also the name of a tool that a model generates, or of a fixed tool of the"
            " user interface. Nothing was dropped: which of the two registers is decided at run time, and a tool"
            " namespace set there may already keep them apart.",
            "Rename the intent, unless a namespace or the exposure policy separates the two.",
            "// The class Order with its action `list` gives the tool order_list as well.\n"
            "defineIntent({ id: 'order.list', /* … */ });",
        ),
        "invalid-workspaces": CodeHelp(
            "A `pnpm-workspace.yaml`, or `workspaces` in a package.json, states the packages of a workspace in a way that"
            " cannot be read: it is no list of texts, no YAML, too large, or a pattern is none. What could be read of it"
            " counts. Workspaces are only reported: which files are scanned, and where imports lead, does not hang on them.",
            "Mend what the message names.",
            "packages: packages/*   # wanted: a list, ['packages/*']",
            "yaml",
        ),
        "unmatched-workspace-pattern": CodeHelp(
            "A pattern of a workspace fits no directory that has a package.json, among the directories that the scan"
            " enters. It may be left over from a directory that was renamed or removed.",
            "Mend or remove the pattern.",
            "packages:\n  - 'packages/*'\n  - 'tols/*'",
            "yaml",
        ),
        "outside-workspaces": CodeHelp(
            "A package with a name lies below a workspace, but no pattern of that takes it in, so that a package manager"
            " does not link it with the others. It is scanned like any other package.",
            "Add its directory to the patterns, or exclude it from the scan if it is no part of the repository's own code.",
        ),
    }
)
