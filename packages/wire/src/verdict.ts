// Orion's decision about one proposal, and the only thing that orion signs.
import type { Hex, TypedDataDefinition } from "viem";
import { domainOf, type WireDomain } from "./domain.ts";
import { lowerCase, uint } from "./encode.ts";
import { flatStruct } from "./flat-struct.ts";
import type { Shape } from "./shape-names.ts";

/** The decision codes in signatures. Zero is unused, so that an empty word is not a decision. */
export const decisionCodes = { APPROVED: 1, REJECTED: 2, UNDECIDED: 3 } as const;

export type Decision = keyof typeof decisionCodes;

type Common = {
  readonly requestHash: Hex;
  readonly escrow: Hex;
  readonly chainId: number;
  readonly intentHash: Hex;
  readonly decision: Decision;
  readonly reportHash: Hex;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** Unix seconds; the proposal's deadline. */
  readonly validUntil: number;
};

/** Version 1: about a single transaction. */
export type Verdict = Common & { readonly to: Hex; readonly value: bigint; readonly dataHash: Hex };

/** Version 2: about any other shape, and the exact hash that would be signed. */
export type ShapedVerdict = Common & { readonly shape: Shape; readonly signingHash: Hex };

const verdictTypes = {
  Verdict: [
    { name: "requestHash", type: "bytes32" },
    { name: "escrow", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "dataHash", type: "bytes32" },
    { name: "intentHash", type: "bytes32" },
    { name: "decision", type: "uint8" },
    { name: "reportHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "validUntil", type: "uint64" },
  ],
} as const;

const shapedVerdictTypes = {
  Verdict: [
    { name: "requestHash", type: "bytes32" },
    { name: "escrow", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "shape", type: "string" },
    { name: "signingHash", type: "bytes32" },
    { name: "intentHash", type: "bytes32" },
    { name: "decision", type: "uint8" },
    { name: "reportHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "validUntil", type: "uint64" },
  ],
} as const;

const commonOf = ({ escrow, chainId, decision, issuedAt, validUntil }: Common) => ({
  escrow: lowerCase(escrow),
  chainId: uint(chainId),
  decision: decisionCodes[decision],
  issuedAt: uint(issuedAt),
  validUntil: uint(validUntil),
});

type Definition = TypedDataDefinition<typeof verdictTypes, "Verdict">;
type ShapedDefinition = TypedDataDefinition<typeof shapedVerdictTypes, "Verdict">;

const definitionOf = (domain: WireDomain, verdict: Verdict): Definition => ({
  domain: domainOf(domain),
  types: verdictTypes,
  primaryType: "Verdict",
  message: { ...verdict, ...commonOf(verdict), to: lowerCase(verdict.to) },
});

const shapedDefinitionOf = (domain: WireDomain, verdict: ShapedVerdict): ShapedDefinition => ({
  domain: domainOf(domain, "2"),
  types: shapedVerdictTypes,
  primaryType: "Verdict",
  message: { ...verdict, ...commonOf(verdict) },
});

/** Returns the data to sign: `account.signTypedData(verdictTypedData(domain, verdict))`. Of version 2 if it has a shape. */
export function verdictTypedData(domain: WireDomain, verdict: Verdict): Definition;
export function verdictTypedData(domain: WireDomain, verdict: Verdict | ShapedVerdict): TypedDataDefinition;
export function verdictTypedData(
  domain: WireDomain,
  verdict: Verdict | ShapedVerdict,
): Definition | ShapedDefinition {
  return "shape" in verdict ? shapedDefinitionOf(domain, verdict) : definitionOf(domain, verdict);
}

const hashPlain = flatStruct("Verdict", verdictTypes.Verdict);
const hashShaped = flatStruct("Verdict", shapedVerdictTypes.Verdict);

/** The digest that is signed. */
export function hashVerdict(home: WireDomain, verdict: Verdict | ShapedVerdict): Hex {
  if ("shape" in verdict) return hashShaped(domainOf(home, "2"), { ...verdict, ...commonOf(verdict) });
  const { message } = definitionOf(home, verdict);
  return hashPlain(domainOf(home), message);
}
