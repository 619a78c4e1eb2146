// The content of the ciphertext: the proposal.
import { z } from "zod";
import type { ProposalFields } from "../proposal.ts";
import {
  Address,
  Bytes,
  ChainId,
  Context,
  Count,
  ExecutionTypeField,
  Text,
  Uint256,
  WalletSignature,
  Word,
} from "./fields.ts";
import { isWithin, maximumEnvelopeBytes, readJson } from "./read-json-text.ts";

const always = {
  version: z.literal(1),
  escrow: Address,
  chainId: ChainId,
  to: Address,
  /** Wei. */
  value: Uint256,
  data: Bytes,
  userPrompt: Text,
  contextLogs: Context.optional(),
  intentSignature: z.strictObject({ signature: WalletSignature, nonce: Word, expiresAt: Count }).optional(),
};

/**
 * Unlisted members are rejected: a reader that skipped them would check less than the sender wrote. In an
 * envelope of form "sealed" the execution type, deadline and salt are outside, and may be repeated here.
 */
export const Content = z.strictObject({
  ...always,
  executionType: ExecutionTypeField.optional(),
  deadline: Count.optional(),
  salt: Word.optional(),
});
export type Content = Readonly<z.infer<typeof Content>>;

/** A content that has all a request hash is made of, as it is in an envelope of form "standard". */
export const WholeContent = z.strictObject({
  ...always,
  executionType: ExecutionTypeField,
  deadline: Count,
  salt: Word,
});
export type WholeContent = Readonly<z.infer<typeof WholeContent>>;

export const isWhole = (content: Content): content is WholeContent =>
  content.executionType !== undefined && content.deadline !== undefined && content.salt !== undefined;

/** Converts to the input of `hashProposal`: `hashProposal(domain, proposalOf(content))`. */
export const proposalOf = (content: WholeContent): ProposalFields => ({
  escrow: content.escrow,
  chainId: content.chainId,
  to: content.to,
  value: BigInt(content.value),
  data: content.data,
  userPrompt: content.userPrompt,
  executionType: content.executionType,
  deadline: content.deadline,
  salt: content.salt,
});

/** The text to encrypt. Throws on a content that no reader would accept. */
export function writeContent(content: Content): string {
  const text = JSON.stringify(Content.parse(content));
  if (!isWithin(text)) throw new RangeError(`A content has at most ${maximumEnvelopeBytes} bytes.`);
  return text;
}

/** Undefined for anything that is not a content of version 1. It is checked for form only: nothing here is believed. */
export const readContent = (text: string): Content | undefined =>
  isWithin(text) ? Content.safeParse(readJson(text)).data : undefined;
