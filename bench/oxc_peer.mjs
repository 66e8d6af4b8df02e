// Reads and parses every file of a list with oxc-parser and finds the classes, type aliases and enums at its top.
//
//   node oxc_peer.mjs PACKAGE_JSON ROOT LIST MODE THREADS
//
// LIST holds paths relative to ROOT, one a line. MODE is how trees come from the parser: `json` (its default: touching
// `program` runs JSON.parse), `raw` (experimentalRawTransfer) or `lazy` (experimentalLazy); both need Node 22. With one
// thread the work is done here, with more in so many worker threads. Prints counts as one line of JSON.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const OPTIONS = { json: {}, raw: { experimentalRawTransfer: true }, lazy: { experimentalLazy: true } };

function scan({ packageJson, root, paths, mode }) {
  const { parseSync } = createRequire(packageJson)("oxc-parser");
  const counts = { files: 0, filesParsed: 0, sourceBytes: 0, classes: 0, members: 0, types: 0, enums: 0, models: 0, syntaxErrors: 0 };
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    const result = parseSync(path, bytes.toString("utf8"), OPTIONS[mode]);
    counts.files += 1;
    counts.filesParsed += 1;
    counts.sourceBytes += bytes.length;
    for (const statement of result.program.body) count(statement.declaration ?? statement, counts);
    counts.syntaxErrors += result.errors.length > 0;
    result.dispose?.();
  }
  return counts;
}

function count(node, counts) {
  if (node.type === "ClassDeclaration") {
    counts.classes += 1;
    counts.models += node.decorators.some(isModelDecorator);
    for (const member of node.body.body) counts.members += member.type !== "StaticBlock";
  } else if (node.type === "TSTypeAliasDeclaration") {
    counts.types += 1;
  } else if (node.type === "TSEnumDeclaration") {
    counts.enums += 1;
  }
}

function isModelDecorator({ expression }) {
  // The lazy tree calls an identifier by other names, so its type is not asked.
  return expression.type === "CallExpression" && expression.callee.name === "smrt";
}

function inThread(job) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: job });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

function added(parts) {
  const total = { ...parts[0] };
  for (const part of parts.slice(1)) for (const name of Object.keys(total)) total[name] += part[name];
  return total;
}

async function main() {
  const [packageJson, root, list, mode, threads] = process.argv.slice(2);
  const paths = readFileSync(list, "utf8").split("\n").filter((path) => path !== "");
  const job = { packageJson, root, mode };
  if (threads === "1") return scan({ ...job, paths });
  const parts = Array.from({ length: Number(threads) }, (_, part) =>
    inThread({ ...job, paths: paths.filter((_, index) => index % Number(threads) === part) }),
  );
  return added(await Promise.all(parts));
}

if (isMainThread) console.log(JSON.stringify(await main()));
else parentPort.postMessage(scan(workerData));
