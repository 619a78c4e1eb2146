// The cases of bench/outside/ as calls on a chain with the world's contracts.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { TypedData } from "@countersign/wire";
import { signedCalls } from "@countersign/wire/signed-calls";

type Hex = `0x${string}`;
type Sent = { readonly to?: Hex; readonly value?: string | number; readonly data?: Hex };
export type Case = {
  readonly id: string;
  readonly expected: string;
  readonly request: {
    readonly human_intent: string;
    readonly proposed_tx: Sent & {
      readonly chainId?: number;
      readonly from?: Hex;
      readonly transactions?: readonly Sent[];
      readonly order?: unknown;
    };
    readonly metadata?: { readonly now?: number; readonly chain_id?: number; readonly from?: Hex };
  };
};

type WrittenCall = { readonly to: Hex; readonly value: string; readonly data: Hex };

/** `signer`: the account signs, and others may make it do these calls. */
export type OnWorld = {
  readonly one: Case;
  readonly from: Hex;
  readonly signer?: Hex;
  readonly now: number;
  readonly calls: readonly WrittenCall[];
};

export const readSet = (set: string): readonly Case[] =>
  gunzipSync(readFileSync(new URL(`../../bench/outside/set-${set}.jsonl.gz`, import.meta.url)))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);

export const isAttack = ({ expected }: Case): boolean => expected === "REJECT";

const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;

function signed(order: unknown, signer: Hex): Pick<OnWorld, "from" | "signer" | "calls"> | null {
  try {
    const found = signedCalls(order as TypedData, signer);
    if (found === undefined) return null;
    const calls = found.calls.map(({ to, value, data }) => ({ to, value, data }));
    return { from: found.account, signer, calls };
  } catch {
    return null;
  }
}

/** Attacks also send values that are no numbers, which nothing executes. */
function readWei(value: string | number): string | null {
  try {
    return BigInt(value).toString();
  } catch {
    return null;
  }
}

/** Null if one of them deploys a contract or sends no number. */
function callsOf(sent: readonly Sent[]): OnWorld["calls"] | null {
  const calls = sent.flatMap(({ to, value = 0, data = "0x" }) => {
    const wei = readWei(value);
    return to === undefined || wei === null ? [] : [{ to: lower(to), value: wei, data: lower(data) }];
  });
  return calls.length === sent.length ? calls : null;
}

/** Why a case cannot be asked again with a state: "another chain", or a transaction that no one simulates. */
export function toWorld(one: Case): OnWorld | "another chain" | "not calls" {
  const { proposed_tx: sent, metadata = {} } = one.request;
  if ((metadata.chain_id ?? sent.chainId) !== 1) return "another chain";
  const account = metadata.from ?? sent.from;
  if (account === undefined) return "not calls";
  const now = metadata.now ?? Math.floor(Date.now() / 1000);
  if (sent.order !== undefined) {
    const found = signed(sent.order, lower(account));
    return found === null ? "not calls" : { one, now, ...found };
  }
  const calls = callsOf(sent.transactions ?? [sent]);
  return calls === null ? "not calls" : { one, from: lower(account), now, calls };
}
