// A request that is repeated with the same Idempotency-Key gets the same answer and runs once. The answer is stored
// in the transaction that does the work, so there is never one without the other.
import { sha256 } from "../sha256.ts";
import { idempotencyErrors } from "./errors.ts";
import type { IdempotencyStore, Within } from "./store.ts";

type Answer = { readonly status: number; readonly body: unknown };
type Answered<A extends Answer> = A & { readonly headers: Readonly<Record<string, string>> };

export type IdempotentRequest = {
  /** Whose key it is: the keys of two callers are independent. */
  readonly principal: string;
  /** Undefined: runs each time. */
  readonly key: string | undefined;
  /** The endpoint, with its parameters. */
  readonly operation: string;
  /** The parsed body, as JSON. */
  readonly body: unknown;
  /** Whether the effect has several statements, so that it needs a transaction even without a key. */
  readonly isSeveralStatements?: boolean;
};

export type Idempotency = {
  /**
   * Returns the earlier answer, if any. For endpoints whose checks depend on changing state, such as the
   * time: a request that was valid once is answered as it was then.
   */
  readonly recall: <A extends Answer>(request: IdempotentRequest) => Promise<Answered<A> | undefined>;
  /** Returns the effect's answer, or the earlier one. The effect does all its work in the given transaction. */
  readonly idempotently: <A extends Answer>(
    request: IdempotentRequest,
    effect: (tx: Within) => Promise<A>,
  ) => Promise<Answered<A>>;
  /** Deletes some of the oldest answers. Returns how many. */
  readonly sweep: () => Promise<number>;
};

type Parts = { readonly store: IdempotencyStore; readonly retentionSeconds?: number };
type Keyed = IdempotentRequest & { readonly key: string };

const day = 24 * 60 * 60;
const sweptAtMost = 100;

/** Wrapped in an array, because a missing body has no JSON. */
const hashOf = ({ body }: IdempotentRequest): Buffer => sha256(JSON.stringify([body]));
/** Two keys may share a lock by chance. The stored row distinguishes them, and one of them would be asked to retry. */
const lockOf = ({ principal, key }: Keyed): bigint =>
  sha256(JSON.stringify([principal, key])).readBigInt64BE();
const isKeyed = (request: IdempotentRequest): request is Keyed => request.key !== undefined;

export function makeIdempotency({ store, retentionSeconds = 2 * day }: Parts): Idempotency {
  const replay = async <A extends Answer>(request: Keyed, tx?: Within): Promise<Answered<A> | undefined> => {
    const kept = await store.find(request, tx);
    if (kept === undefined) return undefined;
    if (kept.operation !== request.operation || !kept.bodyHash.equals(hashOf(request)))
      throw idempotencyErrors.otherRequest();
    // The answer of this operation to this body, stored by the code below.
    const answer = { status: kept.status, body: kept.answer } as A;
    return { ...answer, headers: { "Idempotent-Replayed": "true" } };
  };
  const doOnce = async <A extends Answer>(
    request: Keyed,
    effect: (tx: Within) => Promise<A>,
    tx: Within,
  ): Promise<Answered<A>> => {
    if (!(await store.tryLock(tx, lockOf(request))))
      throw idempotencyErrors.inFlight({ headers: { "Retry-After": "1" } });
    // After the lock, in a separate statement, so that it sees what was committed before the lock was released.
    const replayed = await replay<A>(request, tx);
    if (replayed !== undefined) return replayed;
    const answer = await effect(tx);
    const { status, body } = answer;
    await store.keep(tx, { ...request, bodyHash: hashOf(request), status, answer: body });
    return { ...answer, headers: {} };
  };
  return {
    recall: async (request) => (isKeyed(request) ? replay(request) : undefined),
    idempotently: (request, effect) =>
      store.run(
        async (tx) =>
          isKeyed(request) ? doOnce(request, effect, tx) : { ...(await effect(tx)), headers: {} },
        { isOneStatement: !isKeyed(request) && request.isSeveralStatements !== true },
      ),
    sweep: () => store.forget(sweptAtMost, retentionSeconds),
  };
}
