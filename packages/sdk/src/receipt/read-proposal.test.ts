import { hashProposal, hashSealedProposal } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import type { Receipt } from "../types.ts";
import { hashOf } from "./read-proposal.ts";
import { call, terms, trust } from "../../test/receipt.ts";

type Proposal = Receipt["proposal"];

const home = { chainId: trust.chainId, inbox: trust.inbox };
const ciphertext = "-----BEGIN PGP MESSAGE-----";
const standard = { ...terms, ...call, value: "5", ciphertext: null };
const sealed = { ...terms, to: null, value: null, data: null, userPrompt: null, ciphertext };
const hash = (proposal: unknown): string | undefined => hashOf(proposal as Proposal, home, undefined);

describe("the hash of a proposal in a receipt", () => {
  test.each(["0", "5", "9".repeat(77), (2n ** 256n - 1n).toString()])("covers the amount %s", (value) => {
    const fields = { ...terms, ...call, value: BigInt(value) };
    expect(hash({ ...standard, value })).toBe(hashProposal(home, fields));
  });

  test("covers what its sender sealed", () => {
    expect(hash(sealed)).toBe(hashSealedProposal(home, { ...terms, ciphertext }));
  });

  const short = (text: string): string => text.slice(0, -1);
  const bent = (text: string): string => `1${text.slice(1)}`;
  test.each([
    ["an account one digit short", { escrow: short(terms.escrow) }],
    ["an account with another prefix", { escrow: bent(terms.escrow) }],
    ["an account that ends in no digit", { escrow: `${short(terms.escrow)}g` }],
    ["a salt one digit short", { salt: short(terms.salt) }],
    ["a salt with another prefix", { salt: bent(terms.salt) }],
    ["an execution type that does not exist", { executionType: 3 }],
    ["an execution type in a text", { executionType: "1" }],
  ])("does not exist for %s", (_, over) => {
    expect(hash({ ...standard, ...over })).toBeUndefined();
    expect(hash({ ...sealed, ...over })).toBeUndefined();
  });

  test.each([
    ["no recipient", { to: null }],
    ["a recipient one digit short", { to: short(call.to) }],
    ["a recipient with another prefix", { to: bent(call.to) }],
    ["no amount", { value: null }],
    ["an amount that is a number", { value: 5 }],
    ["an amount in hex", { value: "0x5" }],
    ["an amount with a zero before it", { value: "05" }],
    ["an amount with a space before it", { value: " 5" }],
    ["an amount with a space after it", { value: "5 " }],
    ["an amount below zero", { value: "-5" }],
    ["an amount one too large", { value: (2n ** 256n).toString() }],
    ["no request", { userPrompt: null }],
    ["no data", { data: null }],
  ])("does not exist for %s", (_, over) => {
    expect(hash({ ...standard, ...over })).toBeUndefined();
  });

  test.each(["to", "value", "data", "userPrompt"] as const)(
    "does not exist for a sealed one with a %s",
    (name) => {
      expect(hash({ ...sealed, [name]: standard[name] })).toBeUndefined();
    },
  );
});
