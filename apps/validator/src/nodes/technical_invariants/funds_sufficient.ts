/** The account must hold what leaves, and pay for the gas. Balances come from the proven state. */
import { defineNode, fail, pass, showAmount } from "../../node.ts";
import type { Asset, Effect } from "../../facts.ts";

const coin: Asset = { kind: "native" };

/** Sums up the amounts that must leave. A limit that need not be reached does not count. */
const leastOf = (effects: readonly Effect[], address: string): bigint =>
  effects
    .filter(({ payer, terms }) => payer === "self" && terms.order !== true)
    .flatMap(({ gives }) => gives)
    .filter(({ asset }) => asset.kind === "token" && asset.address === address)
    .reduce((sum, { amount }) => sum + amount.least, 0n);

export default defineNode({
  title: "Account holds what leaves, and the gas",
  failTitle: "Balance is too small",
  severity: "high",
  needs: ["state", "funds", "reading", "proposal", "registry"],
  check({ funds, reading, ...world }) {
    const show = (asset: Asset, units: bigint): string => showAmount(asset, units, world);
    const { native, value, mostForGas, tokens, isEnough } = funds;
    // Several calls can first receive what they then send.
    if (native < value + mostForGas && !isEnough)
      return fail(
        `The account holds ${show(coin, native)}. The transaction sends ${show(coin, value)} and may use ${show(coin, mostForGas)} for gas.`,
        {
          expected: `at least ${show(coin, value + mostForGas)}`,
          observed: show(coin, native),
          fix: "Lower the amount, or fund the account first.",
        },
      );
    for (const [address, held] of tokens) {
      const [asset, least] = [{ kind: "token" as const, address }, leastOf(reading.effects, address)];
      if (held < least && !isEnough)
        return fail(`The account holds ${show(asset, held)}. The transaction sends ${show(asset, least)}.`, {
          expected: `at least ${show(asset, least)}`,
          observed: show(asset, held),
          fix: "Lower the amount, or fund the account first.",
        });
    }
    return pass(`The account holds ${show(coin, native)}, and enough of what leaves.`);
  },
});
