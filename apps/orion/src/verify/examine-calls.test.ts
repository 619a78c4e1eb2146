import { hashPayload, type Hex } from "@countersign/wire";
import { hashContent, type WholeContent } from "@countersign/wire/envelope";
import { describe, expect, test } from "vitest";
import { aBatch, domain } from "../../test/proposals.ts";
import { examineContent } from "./examine.ts";

const to: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

const batch = (over: object = {}) => aBatch([{ to, value: "5" }], {}, over);

const examine = (content: WholeContent) =>
  examineContent({ domain, requestHash: hashContent(domain, content) }, content);

describe("a content with a batch of calls", () => {
  test("binds the shape and the hash of all its calls, which is computed here", () => {
    expect(examine(batch())).toMatchObject({
      kind: "sound",
      bound: {
        shape: "calls",
        signingHash: hashPayload({ shape: "calls", calls: batch().calls }),
        chainId: 1,
      },
    });
  });

  test.each([
    ["another chain", { chainId: 10 }],
    ["another sender", { from: to }],
  ])("for %s than the proposal's is invalid", (_, over) => {
    expect(examine(batch(over))).toMatchObject({
      kind: "invalid",
      reason: "The data to sign is for another chain or account than the proposal.",
    });
  });
});
