import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { requestHashIn, uriOf } from "./resource-uri.ts";

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

test("a transaction's URI names it, and survives being parsed", () => {
  fc.assert(
    fc.property(hash, (requestHash) => {
      expect(requestHashIn(uriOf(requestHash))).toBe(requestHash);
      expect(new URL(uriOf(requestHash)).href).toBe(uriOf(requestHash));
    }),
  );
});

const known: Hex = `0x${"ab".repeat(32)}`;

test.each([
  ["another letter case", uriOf(known).toUpperCase()],
  ["upper-case digits", `countersign://transactions/0x${"AB".repeat(32)}`],
  ["another scheme", uriOf(known).replace("countersign", "https")],
  ["another host", uriOf(known).replace("transactions", "transaction")],
  ["something behind it", `${uriOf(known)}/`],
  ["a query", `${uriOf(known)}?a`],
  ["a line end", `${uriOf(known)}\n`],
  ["something before it", ` ${uriOf(known)}`],
  ["an escaped character", uriOf(known).replace("0x", "%30x")],
  ["too few digits", uriOf(known).slice(0, -1)],
  ["the account", "countersign://account"],
  ["nothing", ""],
])("%s names no transaction", (_, uri) => {
  expect(requestHashIn(uri)).toBeUndefined();
});
