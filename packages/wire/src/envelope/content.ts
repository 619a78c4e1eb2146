// The content of the ciphertext: the proposal. Version 1 has a single transaction, version 2 another shape.
import type { Hex } from "viem";
import { z } from "zod";
import type { WireDomain } from "../domain.ts";
import { hashProposal, type ProposalFields } from "../proposal.ts";
import { hashShapedProposal, type ShapedProposalFields } from "../shaped-proposal.ts";
import type { Payload } from "../shape.ts";
import type { Shape } from "../shape-names.ts";
import {
  Address,
  AuthorizationListField,
  Bytes,
  CallsField,
  ChainId,
  Context,
  Count,
  ExecutionTypeField,
  MessageField,
  SafeTransactionField,
  Text,
  TypedDataField,
  UserOperationField,
  Uint256,
  WalletSignature,
  Word,
} from "./fields.ts";
import { isWithin, maximumEnvelopeBytes, readJson } from "./read-json-text.ts";

const common = {
  escrow: Address,
  chainId: ChainId,
  userPrompt: Text,
  contextLogs: Context.optional(),
  intentSignature: z.strictObject({ signature: WalletSignature, nonce: Word, expiresAt: Count }).optional(),
};

const transaction = {
  version: z.literal(1),
  ...common,
  to: Address,
  /** Wei. */
  value: Uint256,
  data: Bytes,
};

const shaped = { version: z.literal(2), ...common };

/** One member per shape, with the shape's name. */
const payloads = {
  typedData: { shape: z.literal("typedData"), typedData: TypedDataField },
  calls: { shape: z.literal("calls"), calls: CallsField },
  safeTransaction: { shape: z.literal("safeTransaction"), safeTransaction: SafeTransactionField },
  message: { shape: z.literal("message"), message: MessageField },
  authorizationList: {
    shape: z.literal("authorizationList"),
    authorizationList: AuthorizationListField,
  },
  userOperation: { shape: z.literal("userOperation"), userOperation: UserOperationField },
};

const contentWith = <Terms extends z.ZodRawShape>(terms: Terms) =>
  z.discriminatedUnion("version", [
    z.strictObject({ ...transaction, ...terms }),
    z.discriminatedUnion("shape", [
      z.strictObject({ ...shaped, ...payloads.typedData, ...terms }),
      z.strictObject({ ...shaped, ...payloads.calls, ...terms }),
      z.strictObject({ ...shaped, ...payloads.safeTransaction, ...terms }),
      z.strictObject({ ...shaped, ...payloads.message, ...terms }),
      z.strictObject({ ...shaped, ...payloads.authorizationList, ...terms }),
      z.strictObject({ ...shaped, ...payloads.userOperation, ...terms }),
    ]),
  ]);

/**
 * Unlisted members are rejected: a reader that skipped them would check less than the sender wrote. In an
 * envelope of form "sealed" the execution type, deadline and salt are outside, and may be repeated here.
 */
export const Content = contentWith({
  executionType: ExecutionTypeField.optional(),
  deadline: Count.optional(),
  salt: Word.optional(),
});
export type Content = Readonly<z.infer<typeof Content>>;

/** A content that has all a request hash is made of, as it is in an envelope of form "standard". */
export const WholeContent = contentWith({ executionType: ExecutionTypeField, deadline: Count, salt: Word });
export type WholeContent = Readonly<z.infer<typeof WholeContent>>;

export const isWhole = (content: Content): content is WholeContent =>
  content.executionType !== undefined && content.deadline !== undefined && content.salt !== undefined;

type OfVersion<Version, Of> = Extract<Of, { readonly version: Version }>;

/** Converts to the input of `hashProposal`. */
export const proposalOf = (content: OfVersion<1, WholeContent>): ProposalFields => ({
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

/** Returns the payload of a content of version 2, without its other members. */
export const payloadIn = (content: OfVersion<2, Content>): Payload =>
  ({ shape: content.shape, [content.shape]: (content as PayloadMembers)[content.shape] }) as Payload;

type PayloadMembers = Readonly<Partial<Record<Shape, unknown>>>;

/** Converts to the input of `hashShapedProposal`. */
const shapedProposalOf = (content: OfVersion<2, WholeContent>): ShapedProposalFields => ({
  escrow: content.escrow,
  chainId: content.chainId,
  payload: payloadIn(content),
  userPrompt: content.userPrompt,
  executionType: content.executionType,
  deadline: content.deadline,
  salt: content.salt,
});

/** Returns the request hash of a content of either version. */
export const hashContent = (domain: WireDomain, content: WholeContent): Hex =>
  content.version === 1
    ? hashProposal(domain, proposalOf(content))
    : hashShapedProposal(domain, shapedProposalOf(content));

/** The text to encrypt. Throws on a content that no reader would accept. */
export function writeContent(content: Content): string {
  const text = JSON.stringify(Content.parse(content));
  if (!isWithin(text)) throw new RangeError(`A content has at most ${maximumEnvelopeBytes} bytes.`);
  return text;
}

/** Undefined for anything that is not a content of a known version. It is checked for form only: nothing here is believed. */
export const readContent = (text: string): Content | undefined =>
  isWithin(text) ? Content.safeParse(readJson(text)).data : undefined;
