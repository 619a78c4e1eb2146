// Payloads of proposals that are not a single transaction. Version 2 of requestHash and Verdict commit to the shape
// and to the exact hash that the wallet would sign or, for a batch, to the hash of all its calls.
import type { Hex } from "viem";
import {
  hashAuthorizationList,
  parseAuthorizationList,
  type AuthorizationList,
} from "./authorization-list.ts";
import { callsTypedData, parseCalls, type Calls } from "./calls.ts";
import { hashMessage, parseMessage } from "./message.ts";
import { hashUserOperation } from "./packed-user-operation.ts";
import { parseSafeTransaction, safeTypedData, type SafeTransaction } from "./safe-transaction.ts";
import type { Shape } from "./shape-names.ts";
import { hashTypedData, parseTypedData, type TypedData } from "./typed-data.ts";
import { parseUserOperation, type UserOperation } from "./user-operation.ts";

/** The members are named as in `POST /transactions`. */
type Forms = {
  readonly typedData: TypedData;
  readonly calls: Calls;
  readonly safeTransaction: SafeTransaction;
  readonly message: string;
  readonly authorizationList: AuthorizationList;
  readonly userOperation: UserOperation;
};

export type Payload<S extends Shape = Shape> = {
  [Each in S]: { readonly shape: Each } & Readonly<Record<Each, Forms[Each]>>;
}[S];

/** The chain and the sender that the payload itself names. They must be those of the proposal. */
type Origin = { readonly chainId?: number | undefined; readonly from?: Hex };

type Kind<Form> = {
  /** Returns the canonical form. Throws a TypedDataProblem that names the member. */
  readonly parse: (json: unknown) => Form;
  /** The exact hash that would be signed, or the hash of a batch. */
  readonly hash: (form: Form) => Hex;
  readonly originOf: (form: Form) => Origin;
};

const kinds: { readonly [S in Shape]: Kind<Forms[S]> } = {
  typedData: {
    parse: parseTypedData,
    hash: hashTypedData,
    originOf: ({ domain }) => ({ chainId: domain.chainId }),
  },
  calls: {
    parse: parseCalls,
    hash: (calls) => hashTypedData(callsTypedData(calls)),
    originOf: ({ chainId, from }) => ({ chainId, from }),
  },
  safeTransaction: {
    parse: parseSafeTransaction,
    hash: (transaction) => hashTypedData(safeTypedData(transaction)),
    // It is confirmed by an owner of the Safe, or proposed for the Safe itself.
    originOf: ({ chainId }) => ({ chainId }),
  },
  message: {
    parse: parseMessage,
    hash: hashMessage,
    // A signed text is valid on every chain.
    originOf: () => ({}),
  },
  authorizationList: {
    parse: parseAuthorizationList,
    hash: hashAuthorizationList,
    // The account is not part of it: it is the one that signs.
    originOf: ([{ chainId }]) => ({ chainId }),
  },
  userOperation: {
    parse: parseUserOperation,
    hash: hashUserOperation,
    // It is signed by an owner of the smart account, or proposed for the smart account itself.
    originOf: ({ chainId }) => ({ chainId }),
  },
};

/** The compiler cannot see that a shape's kind takes the payload's form. */
const of = <S extends Shape>(
  payload: Payload<S>,
): { readonly kind: Kind<Forms[S]>; readonly form: Forms[S] } => ({
  kind: kinds[payload.shape],
  form: (payload as Readonly<Record<S, Forms[S]>>)[payload.shape],
});

/** Returns the payload of a shape in its canonical form. Throws a TypedDataProblem that names the member. */
export const parsePayload = (shape: Shape, json: unknown): Payload =>
  ({ shape, [shape]: kinds[shape].parse(json) }) as Payload;

/** Returns the hash that the verdict commits to: the one that would be signed, or the hash of a batch. */
export function hashPayload(payload: Payload): Hex {
  const { kind, form } = of(payload);
  return kind.hash(form);
}

export function originOf(payload: Payload): Origin {
  const { kind, form } = of(payload);
  return kind.originOf(form);
}

/** Returns whether a proposal for this chain and account may have this payload. */
export function isFor(payload: Payload, { chainId, escrow }: { chainId: number; escrow: Hex }): boolean {
  const origin = originOf(payload);
  return (
    (origin.chainId ?? chainId) === chainId && (origin.from ?? escrow).toLowerCase() === escrow.toLowerCase()
  );
}
