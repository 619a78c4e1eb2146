import { hashIntent, hashPayload, type Hex } from "@countersign/wire";
import { hashContent } from "@countersign/wire/envelope";
import { describe, expect, test } from "vitest";
import { aSignature, aWord, domain } from "../../test/proposals.ts";
import { nothingBound } from "./bound.ts";
import { examineContent } from "./examine.ts";

const token: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const permit = (chainId: number) => ({
  domain: { name: "USD Coin", version: "2", chainId, verifyingContract: token },
  types: {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "Permit",
  message: { owner: token, spender: token, value: 5, nonce: 0, deadline: 1_900_000_000 },
});

describe("a content with typed data", () => {
  test("binds the hash that would be signed, which is computed here", () => {
    const content = aSignature(permit(1));
    const examined = examineContent({ domain, requestHash: hashContent(domain, content) }, content);
    const signingHash = hashPayload({ shape: "typedData", typedData: content.typedData });
    expect(examined).toMatchObject({
      kind: "sound",
      bound: {
        ...{ shape: "typedData", signingHash, intentHash: hashIntent(content.userPrompt) },
        ...{ escrow: content.escrow, chainId: 1, deadline: content.deadline },
      },
    });
  });

  test("under another request hash is invalid, and nothing is bound", () => {
    const examined = examineContent({ domain, requestHash: aWord() }, aSignature(permit(1)));
    expect(examined).toMatchObject({ kind: "invalid", bound: nothingBound });
  });

  test("for another chain than the proposal is invalid", () => {
    const content = aSignature(permit(10));
    const examined = examineContent({ domain, requestHash: hashContent(domain, content) }, content);
    expect(examined).toMatchObject({
      kind: "invalid",
      reason: expect.stringMatching("another chain") as string,
    });
  });
});
