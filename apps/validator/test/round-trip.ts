/** Describes the transactions of the protocols' samples, and changes them so that they harm the owner. */
import { sameAsset, type Effect, type Flow } from "../src/effects.ts";
import type { Json } from "./corpus.ts";
import { ME } from "./protocols.ts";

/** A second before which no sample has expired. */
const NOW = 1_763_200_000;
export type Transaction = { readonly chain: number; readonly tx: Json };

/** The body of a request about a transaction, without the request in words. */
export const bodyOf = ({ chain, tx }: Transaction) => ({
  proposed_tx: tx,
  metadata: { from: ME, chain_id: chain, now: NOW },
});

const THIEF = "3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be";
const WORD = 64;

const isAddressWord = (word: string): boolean => /^0{24}/.test(word) && BigInt(`0x${word}`) > 2n ** 100n;

/** Another address in place of an address; ten times the number and one more in place of a number. */
function otherWords(word: string): readonly string[] {
  if (isAddressWord(word)) return [THIEF.padStart(WORD, "0")];
  const n = BigInt(`0x${word}`);
  if (n === 0n || n >= 2n ** 200n) return [];
  return [n * 10n, n + 1n].map((one) => one.toString(16).padStart(WORD, "0"));
}

function otherData(data: string): readonly string[] {
  const starts = Array.from({ length: Math.floor((data.length - 10) / WORD) }, (_, at) => 10 + at * WORD);
  return starts.flatMap((at) =>
    otherWords(data.slice(at, at + WORD)).map((word) => data.slice(0, at) + word + data.slice(at + WORD)),
  );
}

function otherCalls(call: Json): readonly Json[] {
  const value = BigInt((call["value"] ?? "0") as string);
  const data = (call["data"] ?? "0x") as string;
  return [
    ...(value === 0n ? [] : [value * 10n, value + 1n].map((one) => ({ ...call, value: String(one) }))),
    ...(call["to"] === null ? [] : [{ ...call, to: `0x${THIEF}` }]),
    ...otherData(data).map((other) => ({ ...call, data: other })),
  ];
}

function otherMessages(order: Json): readonly Json[] {
  const message = order["message"] as Json;
  return Object.entries(message).flatMap(([name, value]) => {
    const text = String(value);
    const put = (other: string): Json => ({ ...order, message: { ...message, [name]: other } });
    if (/^0x[0-9a-f]{40}$/i.test(text)) return [put(`0x${THIEF}`)];
    return /^[1-9]\d*$/.test(text) ? [put(String(BigInt(text) * 10n)), put(String(BigInt(text) + 1n))] : [];
  });
}

/** Every transaction that differs from this one in one word of its calls or one member of its message. */
export function mutate({ chain, tx }: Transaction): readonly Transaction[] {
  const calls = tx["transactions"] as readonly Json[] | undefined;
  const order = tx["order"] as Json | undefined;
  const changed = [
    ...(calls ?? []).flatMap((call, at) =>
      otherCalls(call).map((other) => ({ ...tx, transactions: (calls ?? []).with(at, other) })),
    ),
    ...(calls === undefined && tx["data"] !== undefined ? otherCalls(tx) : []),
    ...(order === undefined ? [] : otherMessages(order).map((other) => ({ ...tx, order: other }))),
  ];
  return changed.map((one) => ({ chain, tx: one }));
}

const acting = (effects: readonly Effect[]): readonly Effect[] =>
  effects.filter(({ act }) => act !== "harmless");

const isNoMore = (before: readonly Flow[], after: readonly Flow[]): boolean =>
  after.every(({ asset, amount }) =>
    before.some(
      (one) =>
        sameAsset(one.asset, asset) &&
        (one.amount.everything === true ? amount.everything === true : amount.most <= one.amount.most),
    ),
  );

const isNoLess = (before: readonly Flow[], after: readonly Flow[]): boolean =>
  before.every(({ asset, amount }) =>
    after.some((one) => sameAsset(one.asset, asset) && one.amount.least >= amount.least),
  );

/** The parties of an effect and the chain that it sends to. */
const partiesOf = ({ act, receiver, payer, authority, toChain, admin }: Effect): string =>
  [act, receiver, payer, authority?.spender, toChain, admin?.kind, admin?.party].join(" ");

const grantedBy = ({ authority }: Effect): bigint => authority?.amount.most ?? 0n;
const unlimited = 2n ** 96n - 1n;

const isNoWorse = (before: Effect, after: Effect | undefined): boolean =>
  after !== undefined &&
  partiesOf(before) === partiesOf(after) &&
  isNoMore(before.gives, after.gives) &&
  isNoLess(before.gets, after.gets) &&
  (grantedBy(after) <= grantedBy(before) || grantedBy(before) >= unlimited);

/**
 * Whether the owner is no worse off: the same acts and parties, no more leaves, no less is guaranteed. Fees are left out: a
 * request allows them up to the operator's limit, for any receiver.
 */
export function areNoWorse(before: readonly Effect[], after: readonly Effect[]): boolean {
  const [old, other] = [acting(before), acting(after)];
  return old.length === other.length && old.every((effect, at) => isNoWorse(effect, other[at]));
}
