import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hashData,
  hashIntent,
  hashProposal,
  hashSealedProposal,
  type Hex,
  type ProposalFields,
  type SealedProposalFields,
} from "./index.ts";
import {
  aDomain,
  anyDomain,
  anyTwoThatDifferInOne,
  aProposal,
  proposalArbitraries,
  sealedProposalArbitraries,
} from "../test/index.ts";

const upperCase = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;

describe("the request hash", () => {
  test("changes with any one field of a proposal", () => {
    fc.assert(
      fc.property(anyDomain, anyTwoThatDifferInOne<ProposalFields>(proposalArbitraries), (domain, pair) => {
        expect(hashProposal(domain, pair.one)).not.toBe(hashProposal(domain, pair.other));
      }),
    );
  });

  test("changes with any one field of a sealed proposal", () => {
    fc.assert(
      fc.property(
        anyDomain,
        anyTwoThatDifferInOne<SealedProposalFields>(sealedProposalArbitraries),
        (domain, pair) => {
          expect(hashSealedProposal(domain, pair.one)).not.toBe(hashSealedProposal(domain, pair.other));
        },
      ),
    );
  });

  test("changes with the home chain and with the inbox", () => {
    const hashes = [
      aDomain,
      { ...aDomain, chainId: 1 },
      { ...aDomain, inbox: `0x${"1c".repeat(20)}` as const },
    ].map((domain) => hashProposal(domain, aProposal));
    expect(new Set(hashes).size).toBe(3);
  });

  test("does not depend on the letter case of hex", () => {
    fc.assert(
      fc.property(anyDomain, fc.record(proposalArbitraries), ({ chainId, inbox }, proposal) => {
        const shouted = {
          ...proposal,
          escrow: upperCase(proposal.escrow),
          to: upperCase(proposal.to),
          data: upperCase(proposal.data),
          salt: upperCase(proposal.salt),
        };
        expect(hashProposal({ chainId, inbox: upperCase(inbox) }, shouted)).toBe(
          hashProposal({ chainId, inbox }, proposal),
        );
      }),
    );
  });

  test("is refused where two different values would have one", () => {
    const hashed = (change: Partial<ProposalFields>) => () =>
      hashProposal(aDomain, { ...aProposal, ...change });
    for (const chainId of [2 ** 53, 1.5, -1, NaN]) expect(hashed({ chainId })).toThrow(/whole number/);
    expect(hashed({ deadline: 2 ** 53 })).toThrow(/whole number/);
    expect(hashed({ data: "0x1" })).toThrow(/hexadecimal/);
    expect(hashed({ data: "0xzz" })).toThrow(/hexadecimal/);
    expect(hashed({ data: "zz0xab" as never })).toThrow(/hexadecimal/);
    expect(hashed({ data: "0Xab" as never })).toThrow(/hexadecimal/);
    expect(hashed({ userPrompt: "pay \ud83d" })).toThrow(/well-formed/);
    expect(hashed({ value: 2n ** 256n })).toThrow(/does not fit uint256/);
    expect(hashed({ value: -1n })).toThrow(/does not fit uint256/);
    expect(hashed({ salt: "0x5a" })).toThrow(/bytes32/);
    expect(hashed({ to: "0xb0" })).toThrow(/20 bytes of address/);
    expect(() => hashProposal({ ...aDomain, chainId: 2 ** 53 }, aProposal)).toThrow(/whole number/);
  });
});

describe("the parts of a request hash", () => {
  test("words are hashed as they stand, without normalisation", () => {
    expect(hashIntent("caf\u00e9")).not.toBe(hashIntent("cafe\u0301"));
    expect(hashIntent("pay")).not.toBe(hashIntent("pay "));
  });

  test("no bytes and no words have the hash of nothing", () => {
    const nothing = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
    expect([hashData("0x"), hashIntent("")]).toEqual([nothing, nothing]);
  });
});
