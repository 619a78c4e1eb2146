// Texts about proposals that are released to the agent's wallet instead of being sent, by their shape.
import type { TransactionView } from "@countersign/sdk";

type Shape = NonNullable<TransactionView["shape"]>;
export type ReleasedShape = Exclude<Shape, "tx">;

type Released = {
  /** A released one can be used later, by anyone who holds it. A batch is sent by the wallet at once. */
  readonly isDeferred: boolean;
  readonly ready: readonly [word: string, detail: string];
  readonly executed: readonly [word: string, detail: string];
};

const releasing: Readonly<Record<ReleasedShape, Released>> = {
  typedData: {
    isDeferred: true,
    ready: ["Approved. The agent’s wallet can sign it.", "You can cancel until it’s signed."],
    executed: ["Signature released", "The agent has the signature."],
  },
  calls: {
    isDeferred: false,
    ready: ["Approved. The agent can send it.", "You can cancel until it’s sent."],
    executed: ["Released to the wallet", "We haven’t seen it on the chain."],
  },
  message: {
    isDeferred: true,
    ready: ["Approved. The agent’s wallet can sign it.", "You can cancel until it’s signed."],
    executed: ["Signature released", "The agent has the signature."],
  },
  authorizationList: {
    isDeferred: true,
    ready: ["Approved. The agent’s wallet can sign it.", "You can cancel until it’s signed."],
    executed: ["Authorization released", "Anyone who has it can use it."],
  },
  userOperation: {
    isDeferred: true,
    ready: ["Approved. The agent’s account can sign it.", "You can cancel until it’s signed."],
    executed: ["Signature released", "Anyone who has it can have the smart account execute it."],
  },
  safeTransaction: {
    isDeferred: true,
    ready: ["Approved. The agent’s wallet can confirm it.", "You can cancel until it’s confirmed."],
    executed: ["Confirmation released", "The Safe can execute it once enough owners have confirmed it."],
  },
};

const isReleased = (shape: TransactionView["shape"]): shape is ReleasedShape =>
  shape !== null && shape !== "tx";

/** Undefined for a transaction, and while only the verifier knows what it is. */
export const releasedOf = ({ shape }: Pick<TransactionView, "shape">): Released | undefined =>
  isReleased(shape) ? releasing[shape] : undefined;
