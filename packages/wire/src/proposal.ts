// The hash that identifies a proposal: EIP-712 over its content, or over its ciphertext if the sender encrypted it.
import type { Hex } from "viem";
import { domainOf, type WireDomain } from "./domain.ts";
import { hashBytes, hashText, lowerCase, uint } from "./encode.ts";
import { flatStruct } from "./flat-struct.ts";

/** 0: the user directly; 1: the user, after an approval; 2: the agent. */
export type ExecutionType = 0 | 1 | 2;

export type Terms = {
  /** The account whose money moves. */
  readonly escrow: Hex;
  /** The chain it is to happen on, which need not be the home chain. */
  readonly chainId: number;
  readonly executionType: ExecutionType;
  /** Unix seconds. */
  readonly deadline: number;
  /** 32 bytes, so that the same proposal made twice has two names. */
  readonly salt: Hex;
};

export type ProposalFields = Terms & {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
  readonly userPrompt: string;
};

export type SealedProposalFields = Terms & {
  /** Armoured OpenPGP, hashed without normalisation: another line ending is another proposal. */
  readonly ciphertext: string;
};

const hashProposalFields = flatStruct("Proposal", [
  { name: "escrow", type: "address" },
  { name: "chainId", type: "uint256" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "dataHash", type: "bytes32" },
  { name: "intentHash", type: "bytes32" },
  { name: "executionType", type: "uint8" },
  { name: "deadline", type: "uint256" },
  { name: "salt", type: "bytes32" },
]);

const hashSealedFields = flatStruct("SealedProposal", [
  { name: "escrow", type: "address" },
  { name: "chainId", type: "uint256" },
  { name: "payloadHash", type: "bytes32" },
  { name: "executionType", type: "uint8" },
  { name: "deadline", type: "uint256" },
  { name: "salt", type: "bytes32" },
]);

/** Hashes the request without trimming or Unicode normalisation. Throws on text that is not well-formed Unicode. */
export const hashIntent = (userPrompt: string): Hex => hashText(userPrompt);

/** `hashData("0x")` is the hash of no bytes. Throws on anything but whole hexadecimal bytes. */
export const hashData = (data: Hex): Hex => hashBytes(data);

/** The request hash of a proposal whose content is known: `hashProposal({ chainId, inbox }, fields)`. */
export const hashProposal = (domain: WireDomain, fields: ProposalFields): Hex =>
  hashProposalFields(domainOf(domain), {
    ...encodeTerms(fields),
    to: lowerCase(fields.to),
    value: fields.value,
    dataHash: hashData(fields.data),
    intentHash: hashIntent(fields.userPrompt),
  });

/** Returns the request hash of a proposal encrypted by its sender. It can be computed from the envelope without a key. */
export const hashSealedProposal = (domain: WireDomain, fields: SealedProposalFields): Hex =>
  hashSealedFields(domainOf(domain), { ...encodeTerms(fields), payloadHash: hashText(fields.ciphertext) });

type EncodedTerms = {
  readonly escrow: Hex;
  readonly chainId: bigint;
  readonly executionType: ExecutionType;
  readonly deadline: bigint;
  readonly salt: Hex;
};

export const encodeTerms = ({ escrow, chainId, executionType, deadline, salt }: Terms): EncodedTerms => ({
  escrow: lowerCase(escrow),
  chainId: uint(chainId),
  executionType,
  deadline: uint(deadline),
  salt,
});
