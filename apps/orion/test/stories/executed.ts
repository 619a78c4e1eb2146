// Executes a story on the chain, to compare the balances with those in a report.
import type { Hex } from "@countersign/wire";
import type { Call } from "./calls.ts";
import type { Chain } from "./chain.ts";

/** By symbol, in base units. */
export type BeforeAndAfter = Readonly<Record<string, readonly [before: string, after: string]>>;

type Execution = {
  /** Whose balances are compared. */
  readonly account: Hex;
  readonly sender: Hex;
};

/** Sends the calls, and returns what the account held before and after on the chain, without the fee, where that differs. */
export async function execute(
  chain: Chain,
  call: Call | readonly Call[],
  { account, sender }: Execution,
): Promise<BeforeAndAfter> {
  const before = await chain.heldBy(account);
  let fee = 0n;
  for (const one of [call].flat()) {
    const sent = await chain.send(sender, one);
    if (account === sender) fee += sent;
  }
  const after = await chain.heldBy(account);
  return differing(before, new Map([...after, ["ETH", (after.get("ETH") ?? 0n) + fee]]));
}

type Held = ReadonlyMap<string, bigint>;

const differing = (before: Held, after: Held): BeforeAndAfter =>
  Object.fromEntries(
    [...before].flatMap(([symbol, held]) => {
      const now = after.get(symbol) ?? 0n;
      return now === held ? [] : [[symbol, [held.toString(), now.toString()]] as const];
    }),
  );
