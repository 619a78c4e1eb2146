// The request hash, version 2, of a proposal of another shape than a transaction. Apart from version 1, so that what reads
// transactions alone does not load every shape.
import type { Hex } from "viem";
import { domainOf, type WireDomain } from "./domain.ts";
import { flatStruct } from "./flat-struct.ts";
import { encodeTerms, hashIntent, type Terms } from "./proposal.ts";
import { hashPayload, type Payload } from "./shape.ts";

/** A proposal of another shape than a single transaction. */
export type ShapedProposalFields = Terms & {
  readonly payload: Payload;
  readonly userPrompt: string;
};

const hashShapedFields = flatStruct("Proposal", [
  { name: "escrow", type: "address" },
  { name: "chainId", type: "uint256" },
  { name: "shape", type: "string" },
  { name: "signingHash", type: "bytes32" },
  { name: "intentHash", type: "bytes32" },
  { name: "executionType", type: "uint8" },
  { name: "deadline", type: "uint256" },
  { name: "salt", type: "bytes32" },
]);

/** Returns the request hash, version 2, of a proposal of another shape. It commits to the exact hash that would be signed. */
export const hashShapedProposal = (domain: WireDomain, fields: ShapedProposalFields): Hex =>
  hashShapedFields(domainOf(domain, "2"), {
    ...encodeTerms(fields),
    shape: fields.payload.shape,
    signingHash: hashPayload(fields.payload),
    intentHash: hashIntent(fields.userPrompt),
  });
