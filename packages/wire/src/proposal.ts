// The hash that identifies a proposal: EIP-712 over its content, or over its ciphertext if the sender encrypted it.
import type { Hex } from "viem";
import { hashTypedData } from "viem/utils";
import { domainOf, type WireDomain } from "./domain.ts";
import { hashBytes, hashText, lowerCase, uint } from "./encode.ts";
import { hashPayload, type Payload } from "./shape.ts";

/** 0: the user directly; 1: the user, after an approval; 2: the agent. */
export type ExecutionType = 0 | 1 | 2;

type Terms = {
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

/** A proposal of another shape than a single transaction. */
export type ShapedProposalFields = Terms & {
  readonly payload: Payload;
  readonly userPrompt: string;
};

export type SealedProposalFields = Terms & {
  /** Armoured OpenPGP, hashed without normalisation: another line ending is another proposal. */
  readonly ciphertext: string;
};

const proposalTypes = {
  Proposal: [
    { name: "escrow", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "dataHash", type: "bytes32" },
    { name: "intentHash", type: "bytes32" },
    { name: "executionType", type: "uint8" },
    { name: "deadline", type: "uint256" },
    { name: "salt", type: "bytes32" },
  ],
} as const;

const shapedProposalTypes = {
  Proposal: [
    { name: "escrow", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "shape", type: "string" },
    { name: "signingHash", type: "bytes32" },
    { name: "intentHash", type: "bytes32" },
    { name: "executionType", type: "uint8" },
    { name: "deadline", type: "uint256" },
    { name: "salt", type: "bytes32" },
  ],
} as const;

const sealedProposalTypes = {
  SealedProposal: [
    { name: "escrow", type: "address" },
    { name: "chainId", type: "uint256" },
    { name: "payloadHash", type: "bytes32" },
    { name: "executionType", type: "uint8" },
    { name: "deadline", type: "uint256" },
    { name: "salt", type: "bytes32" },
  ],
} as const;

/** Hashes the request without trimming or Unicode normalisation. Throws on text that is not well-formed Unicode. */
export const hashIntent = (userPrompt: string): Hex => hashText(userPrompt);

/** `hashData("0x")` is the hash of no bytes. Throws on anything but whole hexadecimal bytes. */
export const hashData = (data: Hex): Hex => hashBytes(data);

/** The request hash of a proposal whose content is known: `hashProposal({ chainId, inbox }, fields)`. */
export const hashProposal = (domain: WireDomain, fields: ProposalFields): Hex =>
  hashTypedData({
    domain: domainOf(domain),
    types: proposalTypes,
    primaryType: "Proposal",
    message: {
      ...encodeTerms(fields),
      to: lowerCase(fields.to),
      value: fields.value,
      dataHash: hashData(fields.data),
      intentHash: hashIntent(fields.userPrompt),
    },
  });

/** Returns the request hash, version 2, of a proposal of another shape. It commits to the exact hash that would be signed. */
export const hashShapedProposal = (domain: WireDomain, fields: ShapedProposalFields): Hex =>
  hashTypedData({
    domain: domainOf(domain, "2"),
    types: shapedProposalTypes,
    primaryType: "Proposal",
    message: {
      ...encodeTerms(fields),
      shape: fields.payload.shape,
      signingHash: hashPayload(fields.payload),
      intentHash: hashIntent(fields.userPrompt),
    },
  });

/** Returns the request hash of a proposal encrypted by its sender. It can be computed from the envelope without a key. */
export const hashSealedProposal = (domain: WireDomain, fields: SealedProposalFields): Hex =>
  hashTypedData({
    domain: domainOf(domain),
    types: sealedProposalTypes,
    primaryType: "SealedProposal",
    message: { ...encodeTerms(fields), payloadHash: hashText(fields.ciphertext) },
  });

const encodeTerms = ({ escrow, chainId, executionType, deadline, salt }: Terms) => ({
  escrow: lowerCase(escrow),
  chainId: uint(chainId),
  executionType,
  deadline: uint(deadline),
  salt,
});
