// Builders and arbitraries for the tests of this package.
import fc from "fast-check";
import type { Hex, ProposalFields, SealedProposalFields, Verdict, WireDomain } from "../src/index.ts";

export const anyHex = (minBytes: number, maxBytes = minBytes): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: minBytes, maxLength: maxBytes })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
export const anyAddress = anyHex(20);
export const anyWord = anyHex(32);
export const anyCount = fc.maxSafeNat();
export const anyChainId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
/** Every code point but lone surrogates, which have no UTF-8 form. */
export const anyText = fc.string({ unit: "binary", maxLength: 40 });
const anyUint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
export const anyExecutionType = fc.constantFrom(0 as const, 1 as const, 2 as const);

export const anyDomain: fc.Arbitrary<WireDomain> = fc.record({ chainId: anyCount, inbox: anyAddress });

const anyTerms = {
  escrow: anyAddress,
  chainId: anyChainId,
  executionType: anyExecutionType,
  deadline: anyCount,
  salt: anyWord,
};

export const proposalArbitraries = {
  ...anyTerms,
  to: anyAddress,
  value: anyUint256,
  data: anyHex(0, 100),
  userPrompt: anyText,
} satisfies { [Name in keyof ProposalFields]: fc.Arbitrary<ProposalFields[Name]> };

export const sealedProposalArbitraries = { ...anyTerms, ciphertext: anyText } satisfies {
  [Name in keyof SealedProposalFields]: fc.Arbitrary<SealedProposalFields[Name]>;
};

export const verdictArbitraries = {
  requestHash: anyWord,
  escrow: anyAddress,
  chainId: anyCount,
  to: anyAddress,
  value: anyUint256,
  dataHash: anyWord,
  intentHash: anyWord,
  decision: fc.constantFrom("APPROVED" as const, "REJECTED" as const, "UNDECIDED" as const),
  reportHash: anyWord,
  issuedAt: anyCount,
  validUntil: anyCount,
} satisfies { [Name in keyof Verdict]: fc.Arbitrary<Verdict[Name]> };

/** Two records that differ in one member, and the name of that member. */
export const anyTwoThatDifferInOne = <T extends Record<string, unknown>>(arbitraries: {
  [Name in keyof T]: fc.Arbitrary<T[Name]>;
}): fc.Arbitrary<{ readonly one: T; readonly other: T }> => {
  const anyRecord = fc.record(arbitraries) as fc.Arbitrary<T>;
  return fc
    .tuple(anyRecord, anyRecord, fc.constantFrom(...Object.keys(arbitraries)))
    .filter(([one, other, name]) => one[name] !== other[name])
    .map(([one, other, name]) => ({ one, other: { ...one, [name]: other[name] } }));
};

export const aDomain: WireDomain = { chainId: 11155111, inbox: `0x${"1b".repeat(20)}` };

export const aProposal: ProposalFields = {
  escrow: `0x${"ea".repeat(20)}`,
  chainId: 1,
  to: `0x${"b0".repeat(20)}`,
  value: 10n ** 16n,
  data: "0x",
  userPrompt: "Send 0.01 ETH to Bob",
  executionType: 1,
  deadline: 1_800_000_000,
  salt: `0x${"5a".repeat(32)}`,
};

export const aVerdict: Verdict = {
  requestHash: `0x${"01".repeat(32)}`,
  escrow: aProposal.escrow,
  chainId: 1,
  to: aProposal.to,
  value: aProposal.value,
  dataHash: `0x${"02".repeat(32)}`,
  intentHash: `0x${"03".repeat(32)}`,
  decision: "APPROVED",
  reportHash: `0x${"04".repeat(32)}`,
  issuedAt: 1_799_913_600,
  validUntil: 1_800_000_000,
};
