import { describe, expect, test } from "vitest";
import { makeTestKey } from "../../test/minisign.ts";
import { readListKey, type List } from "../lists/index.ts";
import { acceptList, type Refusal } from "./accept-list.ts";

const now = BigInt(Date.parse("2026-11-15T00:00:00Z")) / 1000n;
const addressOf = (index: number): string => `0x${index.toString(16).padStart(40, "0")}`;
const some = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => addressOf(index + 1));
const aText = (given: object = {}): string =>
  JSON.stringify({ name: "mine", asOf: "2026-11-10", source: "me", entries: some(10), ...given });
const inPlace = (given: Partial<List> & { readonly count?: number } = {}): List => ({
  ...{ name: "mine", asOf: "2026-11-01", source: "me", partial: false, signedBy: null },
  notes: new Map(some(given.count ?? 10).map((address) => [address, null])),
  ...given,
});
const key = makeTestKey();
const pinned = readListKey(key.publicKey);
const keys = pinned === null ? [] : [pinned];
const common = { listKind: "sanctions", now, keys: [], inPlace: null, force: false } as const;
const plain = (text: string) => ({ text, signature: null });

describe("a published list", () => {
  test.each([
    ["the first one", plain(aText()), {}],
    ["a newer one", plain(aText()), { inPlace: inPlace() }],
    ["one of the same day", plain(aText({ asOf: "2026-11-01" })), { inPlace: inPlace() }],
    ["one with exactly half of the entries", plain(aText()), { inPlace: inPlace({ count: 20 }) }],
    ["one that names its kind", plain(aText({ kind: "sanctions" })), {}],
    ["one that is signed", { text: aText(), signature: key.sign(aText()) }, { keys }],
    ["one that is signed, without keys", { text: aText(), signature: "whatever" }, {}],
    ["one that shrinks, if it is forced", plain(aText()), { inPlace: inPlace({ count: 21 }), force: true }],
    [
      "one with another name, if it is forced",
      plain(aText({ name: "x" })),
      { inPlace: inPlace(), force: true },
    ],
    [
      "an array, with a date",
      { ...plain(JSON.stringify(some(3))), about: { name: "a", asOf: "2026-11-10", source: "b" } },
      {},
    ],
    [
      "lines, with a date",
      {
        ...plain(`# a comment\n${some(3).join("\r\n")}\n\n`),
        about: { name: "a", asOf: "2026-11-10", source: "b" },
      },
      {},
    ],
  ])("is accepted: %s", (_, published, given) => {
    expect(acceptList(published, { ...common, ...given })).toMatchObject({ kind: "accepted" });
  });

  const refusals: readonly (readonly [Refusal, string, Parameters<typeof acceptList>[0], object])[] = [
    ["malformed", "text that is no list", plain("<html></html>"), {}],
    ["malformed", "JSON that is cut off", plain(aText().slice(0, -5)), {}],
    ["malformed", "no entries", plain(aText({ entries: [] })), {}],
    ["malformed", "an entry that is not an address", plain(aText({ entries: ["0x12"] })), {}],
    ["malformed", "an array without a date", plain(JSON.stringify(some(3))), {}],
    ["unsigned", "no signature", plain(aText()), { keys }],
    ["wrongly_signed", "another key", { text: aText(), signature: makeTestKey().sign(aText()) }, { keys }],
    [
      "wrongly_signed",
      "other content",
      { text: aText({ name: "x" }), signature: key.sign(aText()) },
      { keys },
    ],
    ["wrongly_signed", "a broken signature", { text: aText(), signature: "x" }, { keys }],
    ["future", "a date after tomorrow", plain(aText({ asOf: "2026-11-17" })), {}],
    ["wrong_kind", "another kind", plain(aText({ kind: "scam" })), {}],
    ["older", "an older date", plain(aText()), { inPlace: inPlace({ asOf: "2026-11-11" }) }],
    [
      "older",
      "an older date, forced",
      plain(aText()),
      { inPlace: inPlace({ asOf: "2026-11-11" }), force: true },
    ],
    ["other_name", "another name", plain(aText({ name: "x" })), { inPlace: inPlace() }],
    ["shrunk", "less than half of the entries", plain(aText()), { inPlace: inPlace({ count: 21 }) }],
    [
      "unreadable_in_place",
      "nothing to compare with",
      plain(aText()),
      { inPlace: { fault: "x", code: "malformed" } },
    ],
  ];
  test.each(refusals)("is refused as %s: %s", (refusal, _, published, given) => {
    expect(acceptList(published, { ...common, ...given })).toMatchObject({ kind: "refused", refusal });
  });
});
