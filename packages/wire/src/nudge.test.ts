import { describe, expect, test } from "vitest";
import { cidOf } from "./envelope/index.ts";
import { maximumNudges, Nudge, Nudges, RootNudge } from "./nudge.ts";
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

describe("several nudges", () => {
  const takes = (json: unknown): boolean => Nudges.safeParse(json).success;

  test("are one to as many as the limit, each as if it came alone", () => {
    const proposals = Array.from({ length: maximumNudges }, () => ({ requestHash }));
    expect(takes({ proposals: [{ requestHash, unsealed }, { requestHash }] })).toBe(true);
    expect(takes({ proposals })).toBe(true);
    expect(takes({ proposals: [...proposals, { requestHash }] })).toBe(false);
    expect(takes({ proposals: [] })).toBe(false);
    expect(takes({ proposals: [{ requestHash, cid, unsealed }] })).toBe(false);
    expect(takes({ proposals: [{ requestHash }], root: requestHash })).toBe(false);
  });

  test("of a root name the root and its list", () => {
    expect(RootNudge.safeParse({ root: requestHash, list: cid }).success).toBe(true);
    for (const json of [
      { root: requestHash },
      { root: "0x01", list: cid },
      { root: requestHash, list: "../admin" },
      { root: requestHash, list: cid, requestHash },
    ])
      expect(RootNudge.safeParse(json).success).toBe(false);
  });
});
