// Reads paths from standard input, one a line, and writes one line of JSON for each: what oxc-parser says of the file.
// `errors` are its messages; `entries` are classes with members, aliases, enums, interfaces, object types, statements
// and calls, in the shape that syntax_oracle.py gives the same things. Nothing of the files is run.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { parseSync } = createRequire(process.argv[2])("oxc-parser");

const trimmed = (text) => text.replace(/[\s;,]+$/, "").replace(/^[|&]\s*/, "");
// Characters count, not UTF-16 units: the other side cuts as Python does.
const tail = (text) => [...text].slice(-40).join("");

class Reader {
  constructor(text) {
    this.text = text;
    this.found = [];
  }

  slice(node) {
    return node ? this.text.slice(node.start, node.end) : null;
  }

  type(annotation) {
    return annotation ? trimmed(this.slice(annotation.typeAnnotation)) : null;
  }

  add(at, ...entry) {
    this.found.push([at, entry]);
  }

  decorators(node) {
    return (node.decorators ?? []).map((decorator) => this.decorator(decorator.expression));
  }

  decorator(expression) {
    const bare = unwrapped(expression);
    if (bare.type === "Identifier") return [bare.name];
    if (bare.type !== "CallExpression" || bare.optional) return ["*"];
    const callee = unwrapped(bare.callee);
    return callee.type === "Identifier" ? [callee.name, ...bare.arguments.map((node) => this.slice(node))] : ["*"];
  }

  member(node) {
    const kind = memberKind(node);
    if (kind === "index" || kind === "block") return [kind];
    const body = node.value;
    const isField = kind === "field" || kind === "accessor";
    const flags = kind === "accessor" ? [] : memberFlags(node, body);
    if (node.accessibility) flags.push(node.accessibility);
    const type = isField ? node.typeAnnotation : body.returnType;
    const value = isField ? this.slice(body) : null;
    const key = node.computed ? `[${trimmed(this.slice(node.key))}]` : this.slice(node.key);
    const parameters = isField ? null : body.params.map((node) => this.parameter(node));
    return [kind, key, flags.sort().join(" "), this.type(type), value, parameters, this.decorators(node)];
  }

  parameter(node) {
    const inner = node.parameter ?? node;
    const pattern = inner.type === "AssignmentPattern" ? inner.left : inner;
    return this.type(pattern.typeAnnotation);
  }

  visit(node) {
    switch (node.type) {
      case "ClassDeclaration":
      case "ClassExpression": {
        const parts = [node.id?.name ?? null, this.slice(node.superClass), this.slice(node.superTypeArguments)];
        this.add(node.body.start, "class", ...parts, this.decorators(node), node.body.body.map((m) => this.member(m)));
        break;
      }
      case "TSTypeAliasDeclaration":
        this.add(node.id.start, "alias", node.id.name, trimmed(this.slice(node.typeAnnotation)));
        break;
      case "TSEnumDeclaration":
        this.add(node.id.start, "enum", node.id.name, node.body.members.map((member) => this.slice(member)));
        break;
      case "TSInterfaceBody":
        this.add(node.start, "interface", node.body.map((member) => trimmed(this.slice(member))));
        break;
      case "TSTypeLiteral":
        this.add(node.start, "literal", node.members.map((member) => trimmed(this.slice(member))));
        break;
      case "CallExpression":
        if (node.callee.type === "Identifier") this.add(node.callee.start, "call", node.callee.name, node.arguments.length);
        break;
      case "Program":
      case "BlockStatement":
      case "TSModuleBlock":
      case "StaticBlock":
        for (const statement of node.body) {
          if (statement.type !== "EmptyStatement") this.add(statement.end, "statement", tail(trimmed(this.slice(statement))));
        }
    }
  }
}

function unwrapped(node) {
  while (node.type === "ParenthesizedExpression") node = node.expression;
  return node;
}

function memberKind(node) {
  if (node.type === "TSIndexSignature") return "index";
  if (node.type === "StaticBlock") return "block";
  if (node.type.endsWith("AccessorProperty")) return "accessor";
  if (node.type.endsWith("PropertyDefinition")) return "field";
  return node.kind === "get" || node.kind === "set" ? node.kind : "method";
}

function memberFlags(node, body) {
  const flags = ["static", "optional", "readonly"].filter((name) => node[name]);
  if (node.type.startsWith("TSAbstract")) flags.push("abstract");
  if (body?.type?.includes("Function") && node.type.includes("Method")) {
    if (body.async) flags.push("async");
    if (body.generator) flags.push("generator");
  }
  return flags;
}

function walk(root, reader) {
  const pending = [root];
  while (pending.length) {
    const node = pending.pop();
    if (typeof node.type === "string") reader.visit(node);
    // The scanner rewrites decorators that are not plain, and blanks type arguments between a tag and its template:
    // nothing that it reads stands in them.
    if (node.type === "TaggedTemplateExpression") node.typeArguments = null;
    for (const key in node) {
      const value = key === "decorators" ? null : node[key];
      if (value && typeof value === "object" && !(value instanceof RegExp)) pending.push(value);
    }
  }
}

function lineOf(text, error) {
  return text.slice(0, error.labels[0]?.start ?? 0).split("\n").length;
}

function answer(path) {
  const text = readFileSync(path, "utf8");
  const { errors, program } = parseSync(path, text, { preserveParens: true });
  const messages = errors.filter((error) => error.severity === "Error").map((error) => `${lineOf(text, error)} ${error.message}`);
  if (messages.length) return { path, errors: messages, entries: [] };
  const reader = new Reader(text);
  walk(program, reader);
  reader.found.sort((one, two) => one[0] - two[0]);
  return { path, errors: [], entries: reader.found.map(([, entry]) => entry) };
}

for await (const path of createInterface({ input: process.stdin })) {
  if (path) process.stdout.write(JSON.stringify(answer(path)) + "\n");
}
