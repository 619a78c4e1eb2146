// Writes apps/validator/data/tokens.tsv and SOURCES.json from the packages installed next to this file. See the README.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAave, readLedger, type Row } from "./read-sources.ts";
import { mergeRows } from "./merge-rows.ts";

const packages = join(import.meta.dirname, "node_modules");
const data = join(import.meta.dirname, "../../apps/validator/data");

/** `asOf` is the day the version was published. Change both together. */
const sources = [
  {
    name: "@ledgerhq/cryptoassets",
    version: "13.31.0",
    licence: "Apache-2.0 (package.json), MIT (LICENSE.txt)",
    asOf: "2026-09-16",
    read: readLedger,
  },
  {
    name: "@aave-dao/aave-address-book",
    version: "4.68.1",
    licence: "MIT",
    asOf: "2026-09-16",
    read: readAave,
  },
];

function rowsOf({ name, version, read }: (typeof sources)[number]): readonly Row[] {
  const home = join(packages, name);
  const installed = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  if (installed.version !== version) {
    throw new Error(`${name} ${installed.version} is installed, but this file lists ${version} and its date`);
  }
  return read(home);
}

const perSource = sources.map(rowsOf);
const { rows, dropped } = mergeRows(perSource.flat());
const table = rows
  .map(({ chain, address, symbol, decimals }) => `${chain}\t${address}\t${symbol}\t${decimals}\n`)
  .join("");
const core = JSON.parse(readFileSync(join(data, "core-tokens.json"), "utf8")) as readonly unknown[];

writeFileSync(join(data, "tokens.tsv"), table);
writeFileSync(
  join(data, "SOURCES.json"),
  `${JSON.stringify(
    {
      table: {
        file: "tokens.tsv",
        entries: rows.length,
        sha256: createHash("sha256").update(table).digest("hex"),
      },
      sources: [
        ...sources.map(({ name, version, licence, asOf }, index) => ({
          name,
          version,
          licence,
          asOf,
          entries: perSource[index]?.length ?? 0,
        })),
        {
          name: "core-tokens.json",
          version: "1",
          licence: "Apache-2.0, typed by hand",
          asOf: "2026-11-15",
          entries: core.length,
        },
      ],
    },
    null,
    2,
  )}\n`,
);
console.log(`${rows.length} tokens written; ${dropped.length} left out:`);
for (const [reason, count] of Object.entries(Object.groupBy(dropped, ({ why }) => why))) {
  console.log(`  ${count?.length ?? 0} ${reason}`);
}
