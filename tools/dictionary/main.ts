// node tools/dictionary/main.ts <number>: builds a dictionary for compressing stored reports from the reports of example
// requests, and prints its SHA-256 for apps/api/src/transactions/store/report-dictionaries.ts. It never replaces one.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDictionary } from "./build-dictionary.ts";
import { listExampleReports } from "./example-reports.ts";

/** With 48 kB reports are a fifth larger, with 110 kB as large. */
const mostBytes = 96_000;

const [, , number = ""] = process.argv;
if (!/^[1-9]\d*$/.test(number)) throw new Error("usage: node tools/dictionary/main.ts <number>");
const path = `apps/api/data/report-dictionary-${number}.txt`;
const reports = await listExampleReports();
const dictionary = buildDictionary(reports, mostBytes);
// Reports in the database name it, so an existing one fails here.
writeFileSync(join(import.meta.dirname, "../..", path), dictionary, { flag: "wx" });
const digest = createHash("sha256").update(dictionary).digest("hex");
console.log(
  `${path}: ${Buffer.byteLength(dictionary)} bytes from ${reports.length} reports, SHA-256 ${digest}`,
);
