import { describe, expect, test } from "vitest";
import { cidOf } from "./envelope/index.ts";
import { Nudge } from "./nudge.ts";
import { aProposal } from "../test/index.ts";

const requestHash = `0x${"01".repeat(32)}`;
const cid = cidOf(`0x${"02".repeat(32)}`);
const unsealed = { ...aProposal, version: 1, value: "1" };
const accepts = (json: unknown): boolean => Nudge.safeParse(json).success;

describe("a nudge", () => {
  test("names a request, and may say where its envelope is or what it contains", () => {
    expect(accepts({ requestHash })).toBe(true);
    expect(accepts({ requestHash, cid })).toBe(true);
    expect(accepts({ requestHash, unsealed })).toBe(true);
  });

  test("does not say both, nor anything else", () => {
    expect(accepts({ requestHash, cid, unsealed })).toBe(false);
    expect(accepts({ requestHash, decision: "APPROVED" })).toBe(false);
  });

  test("carries no content from which the request hash could not be computed", () => {
    for (const name of ["executionType", "deadline", "salt"]) {
      expect(accepts({ requestHash, unsealed: { ...unsealed, [name]: undefined } }), name).toBe(false);
    }
  });

  test("is refused with another kind of hash or CID", () => {
    expect(accepts({ requestHash: "0x01" })).toBe(false);
    expect(accepts({ requestHash, cid: "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n" })).toBe(false);
    expect(accepts({ requestHash, cid: "../admin" })).toBe(false);
  });
});
