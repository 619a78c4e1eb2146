// Compares two snapshots of a call. A result that is better for the wallet is accepted; worse or different is not.
import { nativeAsset, type Allowance, type Effects, type Movement } from "./effects.ts";
import type { Snapshot } from "./snapshot.ts";

type Tolerance = {
  /** Tolerance for fungible incoming amounts, in basis points. */
  readonly toleranceBps: number;
};

/** Returns the relevant differences as sentences. Empty if nothing relevant differs. */
export function differences(before: Snapshot, now: Snapshot, { toleranceBps }: Tolerance): readonly string[] {
  if (!before.succeeded) return [`it would have failed when it was verified${inWords(before.reason)}`];
  if (!now.succeeded) return [`it would fail now${inWords(now.reason)}`];
  return [
    ...outgoing(before.effects, now.effects),
    ...incoming(before.effects, now.effects, toleranceBps),
    ...balance(before, now, toleranceBps),
    ...allowed(before.effects, now.effects),
    ...unreadable(before.effects, now.effects),
    ...code(before, now),
  ];
}

const inWords = (reason: string | null): string => (reason === null ? "" : `: ${reason}`);

const nameOf = ({ asset, id }: Pick<Movement, "asset" | "id">): string => {
  if (asset === nativeAsset) return "the native token";
  return id === null ? asset : `${asset} number ${id}`;
};

type Sums = ReadonlyMap<string, { readonly movement: Movement; readonly amount: bigint }>;

function sumBy(movements: readonly Movement[], keyOf: (movement: Movement) => string): Sums {
  const sums = new Map<string, { movement: Movement; amount: bigint }>();
  for (const movement of movements) {
    const key = keyOf(movement);
    sums.set(key, { movement, amount: (sums.get(key)?.amount ?? 0n) + BigInt(movement.amount) });
  }
  return sums;
}

const assetKey = ({ asset, id }: Movement): string => `${asset} ${id ?? ""}`;
const partyKey = (movement: Movement): string => `${assetKey(movement)} ${movement.party}`;

function outgoing(before: Effects, now: Effects): readonly string[] {
  const [then, today] = [sumBy(before.out, partyKey), sumBy(now.out, partyKey)];
  const more = [...today].flatMap(([key, { movement, amount }]) => {
    const was = then.get(key)?.amount;
    if (was === undefined)
      return [`${nameOf(movement)} would go to ${movement.party}, which got none of it when it was verified`];
    return amount > was
      ? [
          `more of ${nameOf(movement)} would go to ${movement.party}: ${amount.toString()} instead of ${was.toString()}`,
        ]
      : [];
  });
  return [...more, ...unpaid(before, then, today)];
}

/** Without a return it is a payment, and a recipient who gets less than was verified has not been paid. */
function unpaid(before: Effects, then: Sums, today: Sums): readonly string[] {
  if (before.in.length > 0) return [];
  return [...then].flatMap(([key, { movement, amount: was }]) => {
    const amount = today.get(key)?.amount ?? 0n;
    return amount < was
      ? [
          `less of ${nameOf(movement)} would go to ${movement.party}: ${amount.toString()} instead of ${was.toString()}`,
        ]
      : [];
  });
}

function incoming(before: Effects, now: Effects, toleranceBps: number): readonly string[] {
  const today = sumBy(now.in, assetKey);
  return [...sumBy(before.in, assetKey)].flatMap(([key, { movement, amount: was }]) => {
    const amount = today.get(key)?.amount ?? 0n;
    if (amount === 0n) return [`${nameOf(movement)} would no longer come in`];
    const least = movement.id === null ? 10_000n - BigInt(toleranceBps) : 10_000n;
    return amount * 10_000n < was * least
      ? [`less of ${nameOf(movement)} would come in: ${amount.toString()} instead of ${was.toString()}`]
      : [];
  });
}

/** Events may report transfers that never happened, so the wallet's balance is measured. */
function balance(before: Snapshot, now: Snapshot, toleranceBps: number): readonly string[] {
  const [was, is] = [BigInt(before.gained), BigInt(now.gained)];
  const least = was > 0n ? 10_000n - BigInt(toleranceBps) : 10_000n;
  return is * 10_000n < was * least
    ? [`the wallet's balance of the native token would change by ${now.gained} instead of ${before.gained}`]
    : [];
}

const allowanceKey = ({ kind, asset, id, spender }: Allowance): string =>
  `${kind} ${asset} ${id ?? ""} ${spender}`;

function allowed(before: Effects, now: Effects): readonly string[] {
  const then = new Map(before.allowances.map((one) => [allowanceKey(one), one]));
  const today = new Map(now.allowances.map((one) => [allowanceKey(one), one]));
  return [...new Map([...then, ...today])].flatMap(([key, one]) => {
    const [was, is] = [then.get(key)?.amount, today.get(key)?.amount];
    if (was === is) return [];
    return [
      `${one.spender} would be allowed ${is ?? "none"} of ${nameOf(one)} (${one.kind}), instead of ${was ?? "none"}`,
    ];
  });
}

function unreadable(before: Effects, now: Effects): readonly string[] {
  const said = ({ unreadable: all }: Effects) =>
    new Map(all.map(({ address, digest, times }) => [`${address} ${digest} ${times}`, address]));
  const [then, today] = [said(before), said(now)];
  const changed = [...then, ...today].filter(([key]) => !(then.has(key) && today.has(key)));
  return [...new Set(changed.map(([, address]) => address))].map(
    (address) => `${address} would emit a different event about this wallet, which cannot be decoded`,
  );
}

function code(before: Snapshot, now: Snapshot): readonly string[] {
  const then = new Map(Object.entries(before.code));
  return Object.entries(now.code).flatMap(([address, hash]) => {
    const was = then.get(address);
    if (was === undefined)
      return [`it would reach code at ${address}, which it did not when it was verified`];
    return was === hash ? [] : [`the code at ${address} has changed since it was verified`];
  });
}
