// The body of POST /transactions as a union of its forms, each with its required members, for the documentation.
import { shapes, type Shape } from "@countersign/wire";
import { z } from "zod";
import { Fields } from "./proposal-body.ts";

/** Without the types of its members, which the documentation does not need. */
const fields: z.ZodObject = Fields;

type Member = keyof typeof Fields.shape;
type Form = { readonly id: string; readonly description: string };

const subjects = ["tx", ...shapes] as const;
const sealedMembers = ["encryptedPayload", "payloadSignature"] as const;

/** The compiler does not know the members of `fields`. */
const mask = (members: readonly Member[]): object =>
  Object.fromEntries(members.map((member) => [member, true]));

/** One thing to be sent or signed, and the user's request. */
const openForm = (subject: "tx" | Shape, form: Form) =>
  fields
    .omit(mask([...sealedMembers, ...subjects.filter((other) => other !== subject)]))
    .required(mask(["userPrompt", subject]))
    .meta(form);

const forms: Readonly<Record<"tx" | Shape, Form>> = {
  tx: { id: "NewTransaction", description: "A proposal: a transaction and the user's request." },
  typedData: {
    id: "NewSignature",
    description:
      "A proposal: EIP-712 data to be signed and the user's request. A signature is a deferred transaction.",
  },
  calls: {
    id: "NewBatch",
    description: "A proposal: a batch of calls for the account's wallet and the user's request.",
  },
  safeTransaction: {
    id: "NewSafeTransaction",
    description: "A proposal: a Safe's transaction to be confirmed by an owner, and the user's request.",
  },
  message: {
    id: "NewMessage",
    description: "A proposal: a text to be signed, and the user's request.",
  },
  authorizationList: {
    id: "NewAuthorization",
    description:
      "A proposal: an EIP-7702 authorization to be signed, and the user's request. The contract that it names controls the account afterwards.",
  },
  userOperation: {
    id: "NewUserOperation",
    description: "A proposal: an ERC-4337 user operation to be signed, and the user's request.",
  },
};

const [first, ...others] = subjects.map((subject) => openForm(subject, forms[subject]));
if (first === undefined) throw new Error("there are no forms");

export const DocumentedProposal = z.union([
  first,
  ...others,
  fields
    .omit(mask([...subjects, "userPrompt", "contextLogs", "intentSignature", "encrypted"]))
    .required(mask(sealedMembers))
    .meta({
      id: "NewSealedTransaction",
      description: "A proposal that the sender encrypted to the verification service.",
    }),
]);
