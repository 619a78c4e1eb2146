import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { makeOpenExport } from "./open-export.ts";
import { sections } from "./sections.ts";

const account = `0x${"a1".repeat(20)}` as const;
const proposals = 1_000;

/** Exports of an account with 1,000 proposals. `read` counts those that were read. */
function anExport(options: { readonly readPage?: () => Promise<never> } = {}) {
  const read = { count: 0 };
  const openExport = makeOpenExport({
    store: { readPage: async () => ({ rows: [], next: undefined }), ...options },
    readProposals: async function* () {
      while (read.count < proposals) {
        read.count++;
        yield { proposal: { number: read.count, bytes: "a".repeat(10_000) }, receipt: undefined };
      }
    },
    clock: systemClock,
    log: makeLog({ app: "test", level: "silent" }),
  });
  return { openExport, read };
}
const yes = async (): Promise<boolean> => true;

test("ends with the number of lines", async () => {
  const { openExport } = anExport();
  const lines = (await text(await openExport({ account, stillHolds: yes }))).trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ kind: "end", data: { lines: proposals + 1 } });
  expect(lines).toHaveLength(proposals + 2);
});

test("reads no further than the receiver does", async () => {
  const { openExport, read } = anExport();
  const stream = await openExport({ account, stillHolds: yes });
  for await (const _line of stream) if (read.count > 0) break;
  expect(read.count).toBeLessThan(20);
});

test("can be opened again once the first one was given up, and not before", async () => {
  const { openExport } = anExport();
  const stream = await openExport({ account, stillHolds: yes });
  await expect(openExport({ account, stillHolds: yes })).rejects.toThrow("Another export");
  const closed = new Promise((resolve) => stream.once("close", resolve));
  stream.destroy();
  await closed;
  expect(await text(await openExport({ account, stillHolds: yes }))).toContain('"kind":"end"');
});

test("ends without its last line once the credential has ended", async () => {
  const { openExport, read } = anExport();
  const stream = await openExport({ account, stillHolds: async () => read.count < 500 });
  await expect(text(stream)).rejects.toThrow("the credential has ended");
  expect(read.count).toBeLessThan(proposals);
});

test("is no answer while the database is away, and can be asked for again", async () => {
  const { openExport } = anExport({ readPage: () => Promise.reject(new Error("away")) });
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(openExport({ account, stillHolds: yes })).rejects.toThrow("away");
});

test("has a kind of line for each section", () => {
  const kinds = sections.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
});
