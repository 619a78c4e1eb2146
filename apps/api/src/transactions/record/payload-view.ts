// The data that would be signed in place of a transaction, as views and receipts show it: in its canonical form.
import type { Payload, Shape } from "@countersign/wire";
import { z } from "zod";
import type { Transaction } from "../transaction.ts";

const TypedDataView = z
  .object({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: "TypedData",
    description:
      "EIP-712 data in its canonical form: integers are decimal strings, addresses and bytes are lower-case hex.",
  });

const CallsView = z
  .object({
    version: z.string(),
    chainId: z.number(),
    from: z.string(),
    atomicRequired: z.boolean(),
    calls: z.array(z.object({ to: z.string(), value: z.string(), data: z.string() })),
  })
  .meta({
    id: "Calls",
    description:
      "A batch of calls as in EIP-5792, in its canonical form: values are wei as decimal strings, addresses and bytes are lower-case hex.",
  });

const SafeTransactionView = z
  .object({
    chainId: z.number(),
    safe: z.string(),
    to: z.string(),
    value: z.string(),
    data: z.string(),
    operation: z
      .number()
      .meta({ description: "0: a call. 1: a delegatecall, which runs foreign code as the Safe." }),
    safeTxGas: z.string(),
    baseGas: z.string(),
    gasPrice: z.string(),
    gasToken: z.string(),
    refundReceiver: z.string(),
    nonce: z.string(),
  })
  .meta({
    id: "SafeTransaction",
    description:
      "A transaction of a Safe in its canonical form: everything that its safeTxHash covers, amounts as decimal strings.",
  });

const AuthorizationListView = z
  .array(
    z.object({
      chainId: z.number(),
      address: z.string().meta({
        description:
          "The contract whose code the account would run. The zero address removes the delegation.",
      }),
      nonce: z.string(),
    }),
  )
  .meta({
    id: "AuthorizationList",
    description:
      "The one EIP-7702 authorization to be signed, in its canonical form: the nonce is a decimal string, the address is lower-case hex.",
  });

const UserOperationView = z
  .object({
    chainId: z.number(),
    entryPoint: z.string(),
    entryPointVersion: z.string(),
    sender: z.string().meta({ description: "The smart account that acts." }),
    nonce: z.string(),
    factory: z
      .string()
      .nullable()
      .meta({ description: "The contract that deploys the account first. Null: the account exists." }),
    factoryData: z.string(),
    callData: z.string(),
    callGasLimit: z.string(),
    verificationGasLimit: z.string(),
    preVerificationGas: z.string(),
    maxFeePerGas: z.string(),
    maxPriorityFeePerGas: z.string(),
    paymaster: z
      .string()
      .nullable()
      .meta({ description: "The contract that pays for the gas. Null: the account pays." }),
    paymasterVerificationGasLimit: z.string(),
    paymasterPostOpGasLimit: z.string(),
    paymasterData: z.string(),
  })
  .meta({
    id: "UserOperation",
    description:
      "An ERC-4337 user operation in its canonical form: everything that its userOpHash covers, amounts as decimal strings, addresses and bytes as lower-case hex.",
  });

const views = {
  typedData: TypedDataView.nullable(),
  calls: CallsView.nullable(),
  safeTransaction: SafeTransactionView.nullable(),
  message: z.string().nullable().meta({ description: "The text to be signed with EIP-191." }),
  authorizationList: AuthorizationListView.nullable(),
  userOperation: UserOperationView.nullable(),
} as const satisfies Record<Shape, z.ZodType>;

/** The member of each shape. Null for the other shapes, and if the sender encrypted it. */
export const PayloadView = z.object(views);
type PayloadView = z.infer<typeof PayloadView>;

const nothing: PayloadView = {
  ...{ typedData: null, calls: null, safeTransaction: null, message: null },
  ...{ authorizationList: null, userOperation: null },
};

export function payloadView({ payload }: Pick<Transaction, "payload">): PayloadView {
  if (payload === null) return nothing;
  const { shape } = payload;
  return { ...nothing, [shape]: copied(payload)[shape] };
}

/** The stored form is read-only. */
const copied = (payload: Payload) => structuredClone(payload) as unknown as PayloadView;
