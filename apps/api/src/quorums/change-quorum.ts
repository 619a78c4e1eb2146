import type { Account } from "../accounts/index.ts";
import type { AtProvider } from "./at-provider.ts";
import { quorumErrors } from "./errors.ts";
import { pemOf } from "./public-key.ts";
import type { Quorum, QuorumType, Wish } from "./quorum.ts";
import type { QuorumStore } from "./store.ts";

type Parts = { readonly store: QuorumStore; readonly atProvider: AtProvider };
type Which = { readonly account: Account; readonly type: QuorumType };

const quorumOf = (which: Which, wish: Wish, more: Pick<Quorum, "quorumId" | "note">): Quorum => ({
  ...which,
  ...more,
  displayName: wish.displayName,
  threshold: wish.threshold,
  p256PublicKeys: wish.publicKeys.map(pemOf),
  isStatic: false,
});

/** Registers a quorum of the owner's keys, replacing any earlier one. Stored once the provider has it. */
export const makeRegisterQuorum = ({ store, atProvider }: Parts) =>
  async function registerQuorum(which: Which, wish: Wish, note: string | null): Promise<Quorum> {
    const quorum = quorumOf(which, wish, { quorumId: await atProvider.create(wish), note });
    await store.put(quorum);
    return quorum;
  };

/** The same, but changes an existing quorum. Never the static one, which all accounts share. */
export const makePutQuorum = ({ store, atProvider }: Parts) =>
  async function putQuorum(which: Which, wish: Wish): Promise<Quorum> {
    const before = await store.find(which.account, which.type);
    const isOwn = before !== undefined && !before.isStatic;
    const quorumId = await (isOwn ? atProvider.change(before.quorumId, wish) : atProvider.create(wish));
    const quorum = quorumOf(which, wish, { quorumId, note: isOwn ? before.note : null });
    await store.put(quorum);
    return quorum;
  };

export const makeDeleteQuorum = ({ store, atProvider }: Parts) =>
  async function deleteQuorum({ account, type }: Which): Promise<void> {
    const quorum = await store.find(account, type);
    if (quorum === undefined) throw quorumErrors.noSuchQuorum();
    if (!quorum.isStatic) await atProvider.remove(quorum.quorumId);
    if (!(await store.remove(quorum))) throw quorumErrors.noSuchQuorum();
  };
