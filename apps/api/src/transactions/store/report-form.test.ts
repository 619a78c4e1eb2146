import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aReport } from "../../../test/transactions/attestation.ts";
import { findDictionary, newestDictionary } from "./report-dictionaries.ts";
import { compressReport, openReport } from "./report-form.ts";

async function compressed(report: unknown) {
  const stored = await compressReport(report);
  if ("json" in stored) throw new Error("it was not compressed");
  return stored;
}
const rowOf = (bytes: Buffer, dictionary = 1) => ({ report: null, compressed: bytes, dictionary });
const open = (bytes: Buffer, dictionary?: number): Promise<unknown> => openReport(rowOf(bytes, dictionary));

const effects = [{ act: "transfer", receiver: "0x742d35cc6634c0532925a3b844bc454e4438f44e" }];
const context = { effects, net_effect: { leaves: [] }, lists: [] };
const report = { ...(aReport() as object), decision: "PASS", context };

describe("compressReport", () => {
  test("returns bytes that open as the same report", async () => {
    expect(await open((await compressed(report)).compressed)).toEqual(report);
  });

  test("keeps any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const { compressed: bytes } = await compressed(value);
        expect(await open(bytes)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("returns the members that SQL reads, and no others", async () => {
    expect(JSON.parse((await compressed(report)).summary)).toEqual({
      decision: "PASS",
      assessment: { kind: "entailed" },
      context: { effects, net_effect: { leaves: [] } },
    });
  });

  test.each([
    ["no object", 7, {}],
    ["null", null, {}],
    ["members of other types", { decision: 3, assessment: "entailed", context: [effects] }, { decision: 3 }],
    ["a context without effects", { context: { lists: [] } }, { context: {} }],
    ["effects without a net effect", { context: { effects } }, { context: { effects } }],
  ])("has a summary without what is missing: %s", async (_name, other, summary) => {
    expect(JSON.parse((await compressed(other)).summary)).toEqual(summary);
  });

  test("needs a tenth of the bytes that a report takes without the dictionary", async () => {
    const typical = findDictionary(1).toString("utf8");
    const text = typical.slice(typical.lastIndexOf('{"decision":'));
    const { compressed: bytes } = await compressed(JSON.parse(text));
    expect(bytes.length * 10).toBeLessThan(zstdCompressSync(text).length);
  });

  test("leaves a report that is too large to be opened as JSON", async () => {
    const large = { reason: "a".repeat(2 * 1024 * 1024) };
    expect(await compressReport(large)).toEqual({ json: JSON.stringify(large) });
  });
});

describe("openReport", () => {
  test("returns JSON as it is", async () => {
    expect(await openReport({ report, compressed: null, dictionary: null })).toBe(report);
  });

  test("opens what an earlier version wrote", async () => {
    const bytes = Buffer.from(
      "KLUv/QRYLQEAoHRvcmVkZmlyc3QgdmVyc2lvbiJ9BAAF5ADDdkKxiyAyJ/cAAtMp5U8=",
      "base64",
    );
    expect(await open(bytes)).toEqual({ decision: "PASS", reason: "as stored by the first version" });
  });

  test("refuses each of its bytes when it is changed, or opens the same report", async () => {
    const { compressed: bytes } = await compressed(report);
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      const opened = await open(changed).catch((error: unknown) => error);
      if (opened instanceof Error)
        expect(opened.message).toMatch(/cannot be read: its compressed bytes are damaged/);
      else expect(opened).toEqual(report);
    }
  });

  test("refuses the beginning of a report", async () => {
    const { compressed: bytes } = await compressed(report);
    for (const at of bytes.keys()) await expect(open(bytes.subarray(0, at))).rejects.toThrow("damaged");
  });

  test("stops at 2 MiB", async () => {
    const bomb = zstdCompressSync(JSON.stringify("a".repeat(50_000_000)), { dictionary: findDictionary(1) });
    expect(bomb.length).toBeLessThan(10_000);
    await expect(open(bomb)).rejects.toThrow("damaged");
  });

  test("names a dictionary that it does not have", async () => {
    const { compressed: bytes } = await compressed(report);
    await expect(open(bytes, newestDictionary + 1)).rejects.toThrow(
      `does not have report dictionary ${newestDictionary + 1}`,
    );
  });
});

// Reports in databases name them. A changed dictionary makes those unreadable: add one with the next number instead.
test.each([[1, 95_983, "edaf35f781b212d1ebc3bab533ffb8b7cbe848bbadffd3d8e0c2ac690b3b04a0"]])(
  "dictionary %i is the one that was released",
  (number, bytes, digest) => {
    const content = findDictionary(number);
    expect(content.length).toBe(bytes);
    expect(createHash("sha256").update(content).digest("hex")).toBe(digest);
  },
);
