// The body of POST /transactions, in its forms. Members of another form are rejected, not ignored, because the
// sender would believe that they count. Unknown members are ignored, except in `tx` where they would change what is
// signed.
import { originOf, shapes, type Payload, type Shape } from "@countersign/wire";
import {
  AuthorizationListField,
  CallsField,
  MessageField,
  SafeTransactionField,
  TypedDataField,
  UserOperationField,
} from "@countersign/wire/envelope";
import { z } from "zod";
import { EthereumAddress } from "../accounts/index.ts";
import { findSignedMembers } from "./signed-members.ts";
import type { Hex } from "./transaction.ts";

const maximumPromptLength = 16_000;
const maximumDataDigits = 128 * 1024;
const maximumContextBytes = 64 * 1024;
const maximumContextDepth = 16;
const maximumPayloadLength = 240 * 1024;
const maximumSignatureLength = 16 * 1024;
const maximumWalletSignatureBytes = 2 * 1024;

/** Accepts any letter case and returns lower case. */
const bytes = (pattern: RegExp, message: string) =>
  z
    .string()
    .regex(pattern, message)
    .transform((text) => text.toLowerCase() as Hex);

export const Word = bytes(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes in hex");

/** Stays text: a wei amount never becomes a float. */
export const Wei = z
  .string()
  .regex(/^[0-9]{1,78}$/, { error: "must be a decimal number", abort: true })
  .refine((digits) => BigInt(digits) < 2n ** 256n, "must be below 2^256")
  .transform((digits) => BigInt(digits).toString());

export const Calldata = z
  .string()
  .max(2 + maximumDataDigits, "must be at most 128 kB of hex")
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, "must be whole bytes in hex, 0x for none")
  .transform((text) => text.toLowerCase() as Hex);

/** Counts characters, not UTF-16 units: an emoji is one. */
const isWithin = (text: string, maximum: number): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum);

function isNestedWithin(json: unknown, depth: number): boolean {
  if (typeof json !== "object" || json === null) return true;
  return depth > 0 && Object.values(json).every((member) => isNestedWithin(member, depth - 1));
}

const Context = z
  .record(z.string(), z.unknown())
  .refine((context) => isNestedWithin(context, maximumContextDepth), {
    error: `must be nested at most ${maximumContextDepth} deep`,
    // Excessively nested input is not serialized to measure its size.
    abort: true,
  })
  .refine(
    (context) => Buffer.byteLength(JSON.stringify(context)) <= maximumContextBytes,
    "must be at most 64 kB",
  );

/** Stored and hashed in one canonical form; the error names the member that cannot be signed in one way. */
const within = <Form>(field: z.ZodType<Form>, kilobytes: number) =>
  field.refine(
    (form) => Buffer.byteLength(JSON.stringify(form)) <= kilobytes * 1024,
    `must be at most ${kilobytes} kB`,
  );

const IntentSignature = z.object({
  signature: bytes(/^0x(?:[0-9a-fA-F]{2})+$/, "must be bytes in hex").refine(
    (hex) => hex.length <= 2 + 2 * maximumWalletSignatureBytes,
    "must be at most 2 kB",
  ),
  nonce: Word,
  expiresAt: z.int().nonnegative(),
});

export const Fields = z.object({
  escrowAddress: EthereumAddress,
  userPrompt: z
    .string()
    .min(1, "must not be empty")
    .refine((text) => isWithin(text, maximumPromptLength), "must have at most 16,000 characters")
    .optional()
    .meta({ description: "The request to the agent, in the user's own words." }),
  tx: z
    .looseObject({ to: EthereumAddress, value: Wei, data: Calldata })
    // Loose so that they can be checked. The documentation shows them as ordinary unknown members.
    .meta({ additionalProperties: undefined })
    .optional()
    .meta({
      description: "The call. Members that would change what is signed, such as nonce or gas, are rejected.",
    }),
  typedData: within(TypedDataField, 64).optional().meta({
    description:
      "In place of tx: EIP-712 data to be signed, such as a permit or an EIP-3009 payment. The chain in its domain must be chainId.",
  }),
  calls: within(CallsField, 128).optional().meta({
    description:
      "In place of tx: a batch of calls as in EIP-5792, without capabilities. Its chainId must be chainId, and its from escrowAddress.",
  }),
  safeTransaction: within(SafeTransactionField, 128).optional().meta({
    description:
      "In place of tx: a transaction of a Safe (since version 1.3.0) to be confirmed by an owner, with its nonce. Its chainId must be chainId.",
  }),
  message: MessageField.optional().meta({
    description:
      "In place of tx: a text to be signed with EIP-191 (personal_sign), such as a sign-in. Hex is not a text: wallets may sign it as bytes.",
  }),
  authorizationList: AuthorizationListField.optional().meta({
    description:
      "In place of tx: a list of exactly one EIP-7702 authorization to be signed, which has the account run the code of another contract. Its chainId must be chainId; 0, every chain, is rejected.",
  }),
  userOperation: within(UserOperationField, 128).optional().meta({
    description:
      "In place of tx: an ERC-4337 user operation to be signed, unpacked and without its signature, with the address of its entry point (version 0.7 or 0.8) and its chainId, which must be chainId.",
  }),
  contextLogs: Context.optional(),
  chainId: z.int().positive().default(11_155_111),
  encrypted: z
    .boolean()
    .optional()
    .meta({ description: "false: not encrypted, no public trace. ADMIN keys and execution type 0 only." }),
  encryptedPayload: z.string().max(maximumPayloadLength, "must be at most 240 kB").optional().meta({
    description: "Encrypted by the sender: an armoured OpenPGP message to the verification service's key.",
  }),
  payloadSignature: z.string().max(maximumSignatureLength, "must be at most 16 kB").optional().meta({
    description:
      "A detached armoured OpenPGP signature over exactly the text of encryptedPayload, by the owner's registered key.",
  }),
  verificationServiceId: z.int().positive().optional(),
  deadline: z.int().nonnegative().optional().meta({ description: "Unix seconds." }),
  supersedes: Word.optional().meta({
    description: "The requestHash of a pending transaction that this one replaces.",
  }),
  intentSignature: IntentSignature.optional().meta({
    description: "The owner's EIP-712 signature over Intent(account, text, chainId, nonce, expiresAt).",
  }),
});
type Fields = z.output<typeof Fields>;

type Terms = Pick<Fields, "escrowAddress" | "chainId" | "verificationServiceId" | "deadline" | "supersedes">;
/** A transaction, or what is to be signed in place of one. */
type OpenContent =
  | { readonly tx: { readonly to: Hex; readonly value: string; readonly data: Hex } }
  | { readonly payload: Payload };
export type OpenProposal = Terms & {
  readonly form: "standard" | "unsealed";
  readonly userPrompt: string;
  readonly content: OpenContent;
  readonly contextLogs: Fields["contextLogs"];
  readonly intentSignature: Fields["intentSignature"];
};
export type SealedProposal = Terms & {
  readonly form: "sealed";
  readonly encryptedPayload: string;
  readonly payloadSignature: string;
};
export type ProposalBody = OpenProposal | SealedProposal;

type Complain = (member: keyof Fields, message: string, part?: string) => void;

function readSealed(fields: Fields & { readonly encryptedPayload: string }, complain: Complain) {
  const { encrypted, encryptedPayload, payloadSignature } = fields;
  for (const member of ["userPrompt", "tx", ...shapes, "contextLogs", "intentSignature"] as const)
    if (fields[member] !== undefined)
      complain(member, "must be inside encryptedPayload, not next to it (invalid flow combination)");
  if (encrypted === false)
    complain("encrypted", "must not be false together with encryptedPayload (invalid flow combination)");
  if (payloadSignature === undefined) {
    complain("payloadSignature", "is required with encryptedPayload");
    return undefined;
  }
  return { form: "sealed" as const, encryptedPayload, payloadSignature };
}

function readTx(
  fields: Fields & { readonly tx: NonNullable<Fields["tx"]> },
  complain: Complain,
): OpenContent {
  const { tx } = fields;
  const { to, value, data } = tx;
  for (const part of findSignedMembers({ ...fields, tx }))
    complain(
      "tx",
      "would change what is signed, but a proposal covers only to, value and data: leave it out",
      part,
    );
  return { tx: { to, value, data } };
}

/** Returns the payloads of other shapes than a transaction. */
const payloadsOf = (fields: Fields): readonly Payload[] =>
  shapes.flatMap((shape) =>
    fields[shape] === undefined ? [] : [{ shape, [shape]: fields[shape] } as unknown as Payload],
  );

/** A payload for another chain or sender would be approved as one for this chain and account. */
function readPayload(payload: Payload, { chainId, escrowAddress }: Fields, complain: Complain): OpenContent {
  const { chainId: named = chainId, from = escrowAddress } = originOf(payload);
  const { shape } = payload;
  if (named !== chainId) complain("chainId", `must equal ${shape}.${originMembers[shape].chainId}`);
  if (from.toLowerCase() !== escrowAddress.toLowerCase())
    complain("escrowAddress", `must equal ${shape}.${originMembers[shape].from}`);
  return { payload };
}

/** Where a payload names its chain and its sender. */
const originMembers = {
  typedData: { chainId: "domain.chainId", from: "" },
  calls: { chainId: "chainId", from: "from" },
  safeTransaction: { chainId: "chainId", from: "" },
  message: { chainId: "", from: "" },
  authorizationList: { chainId: "0.chainId", from: "" },
  userOperation: { chainId: "chainId", from: "" },
} as const satisfies Record<Shape, Readonly<Record<"chainId" | "from", string>>>;

/** Exactly one thing is signed. */
function readContent(fields: Fields, complain: Complain): OpenContent | undefined {
  const { tx } = fields;
  const [payload, second] = payloadsOf(fields);
  if (payload !== undefined && (tx !== undefined || second !== undefined)) {
    const [member, other] = second === undefined ? [payload.shape, "tx"] : [second.shape, payload.shape];
    complain(member, `must not be next to ${other}: propose one of them`);
    return undefined;
  }
  if (payload !== undefined) return readPayload(payload, fields, complain);
  if (tx !== undefined) return readTx({ ...fields, tx }, complain);
  complain("tx", "is required");
  return undefined;
}

function readOpen(fields: Fields, complain: Complain) {
  const { userPrompt, contextLogs, intentSignature, encrypted, payloadSignature } = fields;
  if (payloadSignature !== undefined) complain("payloadSignature", "is for encryptedPayload only");
  if (userPrompt === undefined) complain("userPrompt", "is required");
  const content = readContent(fields, complain);
  if (userPrompt === undefined || content === undefined) return undefined;
  const form: OpenProposal["form"] = encrypted === false ? "unsealed" : "standard";
  return { form, userPrompt, content, contextLogs, intentSignature };
}

export const ProposalBody = Fields.transform((fields, context): ProposalBody => {
  const { escrowAddress, chainId, verificationServiceId, deadline, supersedes, encryptedPayload } = fields;
  const complain: Complain = (member, message, part) => {
    context.addIssue({ code: "custom", path: [member, ...(part === undefined ? [] : [part])], message });
  };
  const form =
    encryptedPayload === undefined
      ? readOpen(fields, complain)
      : readSealed({ ...fields, encryptedPayload }, complain);
  return form === undefined
    ? z.NEVER
    : { escrowAddress, chainId, verificationServiceId, deadline, supersedes, ...form };
});
