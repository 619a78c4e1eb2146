// A request that is sent again under the same Idempotency-Key is answered again and not done again. The answer is kept in
// the transaction that does the work, so there is never one without the other.
import { sha256 } from "../sha256.ts";
import { idempotencyErrors } from "./errors.ts";
import type { IdempotencyStore, Within } from "./store.ts";

type Answer = { readonly status: number; readonly body: unknown };
type Answered<A extends Answer> = A & { readonly headers: Readonly<Record<string, string>> };

export type IdempotentRequest = {
  /** Whose key it is: the keys of two callers have nothing to do with each other. */
  readonly principal: string;
  /** Undefined: done each time it is asked for. */
  readonly key: string | undefined;
  /** The endpoint, with its parameters. */
  readonly operation: string;
  /** As it was understood: JSON. */
  readonly body: unknown;
  /** Is the effect more than one statement, so that even without a key it takes a transaction? */
  readonly isSeveralStatements?: boolean;
};

export type Idempotency = {
  /**
   * The answer that was given before, if there is one. For endpoints that judge a request by what changes, such as the time:
   * a request that was right once is answered as it was then.
   */
  readonly recall: <A extends Answer>(request: IdempotentRequest) => Promise<Answered<A> | undefined>;
  /** The effect's answer, or the one that was given before. The effect does all its work in the transaction it is given. */
  readonly idempotently: <A extends Answer>(
    request: IdempotentRequest,
    effect: (tx: Within) => Promise<A>,
  ) => Promise<Answered<A>>;
  /** Forgets some of the oldest. Returns how many. */
  readonly sweep: () => Promise<number>;
};

type Parts = { readonly store: IdempotencyStore; readonly retentionSeconds?: number };
type Keyed = IdempotentRequest & { readonly key: string };

const day = 24 * 60 * 60;
const sweptAtMost = 100;

/** In a list, because there is no JSON of no body. */
const hashOf = ({ body }: IdempotentRequest): Buffer => sha256(JSON.stringify([body]));
/** Two that share a lock by chance are told apart by what is kept; one of them would be asked to try again. */
const lockOf = ({ principal, key }: Keyed): bigint =>
  sha256(JSON.stringify([principal, key])).readBigInt64BE();
const isKeyed = (request: IdempotentRequest): request is Keyed => request.key !== undefined;

export function makeIdempotency({ store, retentionSeconds = 2 * day }: Parts): Idempotency {
  const replay = async <A extends Answer>(request: Keyed, tx?: Within): Promise<Answered<A> | undefined> => {
    const kept = await store.find(request, tx);
    if (kept === undefined) return undefined;
    if (kept.operation !== request.operation || !kept.bodyHash.equals(hashOf(request)))
      throw idempotencyErrors.otherRequest();
    // What this operation answered to this body, as it was kept by the lines below.
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
    // After the lock, in a statement of its own: it sees what was committed before the lock was let go.
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
