import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTestKey } from "../../test/minisign.ts";
import { aLog } from "../../test/validate.ts";
import { keepLists, type ListKeeper } from "./keep-lists.ts";
import { writeListFile } from "./list-file.ts";
import { readListKey } from "./minisign.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "keep-lists-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const aList = (...entries: readonly string[]) => ({
  name: "mine",
  asOf: "2026-11-01",
  source: "me",
  entries,
});
/** By rename, as an update does: two files of one size within a millisecond still have different inodes. */
const put = (name: string, content: unknown): void => {
  const draft = join(directory, "draft");
  writeFileSync(draft, typeof content === "string" ? content : JSON.stringify(content));
  renameSync(draft, join(directory, name));
};
const [one, two] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
const scams = (keeper: ListKeeper): number | undefined => keeper.current()?.scam?.notes.size;
let now = new Date("2026-11-15T00:00:00Z");
const keep = (given: { readonly keys?: readonly string[] } = {}) => {
  const { log, lines } = aLog();
  const keys = (given.keys ?? []).flatMap((key) => readListKey(key) ?? []);
  const keeper = keepLists({ directory, keys, clock: { now: () => now }, log });
  keeper.load();
  return { keeper, lines };
};

describe("lists of a running service", () => {
  test("are replaced when a file changes, comes or goes, and then have another name", () => {
    put("scam.json", aList(one));
    const { keeper } = keep();
    const names = [keeper.current()?.files];
    for (const [change, size] of [
      [
        () => {
          put("scam.json", aList(one, two));
        },
        2,
      ],
      [
        () => {
          put("scam-b.json", aList(`0x${"33".repeat(20)}`));
        },
        3,
      ],
      [
        () => {
          rmSync(join(directory, "scam.json"));
        },
        1,
      ],
    ] as const) {
      change();
      keeper.refresh();
      expect(scams(keeper)).toBe(size);
      names.push(keeper.current()?.files);
    }
    expect(new Set(names.map((files) => JSON.stringify(files))).size).toBe(4);
  });

  test("stay the same object while nothing changes", () => {
    put("scam.json", aList(one));
    const { keeper } = keep();
    const before = keeper.current();
    keeper.refresh();
    expect(keeper.current()).toBe(before);
  });

  test.each([
    ["cut off", "{"],
    ["empty", aList()],
    ["misspelt", { ...aList(one), asOf: "yesterday" }],
  ])("stay in use when the new file is %s; it is logged once and named until it is fixed", (_, broken) => {
    put("scam.json", aList(one, two));
    const { keeper, lines } = keep();
    put("scam.json", broken);
    for (let look = 0; look < 3; look += 1) keeper.refresh();
    expect(scams(keeper)).toBe(2);
    expect(keeper.problem()).toContain("scam.json");
    expect(lines()).toMatchObject([{ msg: "lists refused, the previous ones stay in use" }]);
    put("scam.json", aList(one));
    keeper.refresh();
    expect([scams(keeper), keeper.problem()]).toEqual([1, null]);
  });

  test("stay in use when the folder is gone", () => {
    put("scam.json", aList(one));
    const { keeper } = keep();
    rmSync(directory, { recursive: true });
    keeper.refresh();
    expect([scams(keeper), keeper.problem()]).toEqual([1, expect.stringContaining("ENOENT")]);
    directory = mkdtempSync(join(tmpdir(), "keep-lists-"));
  });

  test("take a list that was dated in the future once its day has come", () => {
    const { keeper } = keep();
    put("scam.json", { ...aList(one), asOf: "2026-11-20" });
    keeper.refresh();
    expect(keeper.problem()).toContain("future");
    now = new Date("2026-11-20T00:00:00Z");
    keeper.refresh();
    expect([scams(keeper), keeper.problem()]).toEqual([1, null]);
  });

  test("must be signed if there are keys, also those that were not put there by the command", () => {
    const key = makeTestKey();
    const text = JSON.stringify(aList(one));
    put("scam.json", writeListFile({ text, signature: key.sign(text) }));
    const { keeper } = keep({ keys: [key.publicKey] });
    expect(scams(keeper)).toBe(1);
    const bent = writeListFile({ text: text.replace(one, two), signature: key.sign(text) });
    for (const [file, why] of [
      [bent, "does not match"],
      [JSON.stringify(aList(one, two)), "not signed"],
      [writeListFile({ text, signature: makeTestKey().sign(text) }), "unknown key"],
    ] as const) {
      put("scam.json", file);
      keeper.refresh();
      expect(keeper.problem()).toContain(why);
      expect(scams(keeper)).toBe(1);
    }
  });
});
