/** The simulated call succeeds and takes no more than the calldata allows. It can add a FAIL, but never replaces another check. */
import { defineNode, fail, pass, quoted, showAmount, skip } from "../../node.ts";
import type { Asset, EffectAct, Reading } from "../../facts.ts";

/** Tokens that count in shares round by a unit or two. */
const rounding = 2n;

/** Claims on a venue, such as shares and debts, are given up by these acts. The calldata does not name their tokens. */
const givesUpClaims: readonly EffectAct[] = [
  "withdraw",
  "repay",
  "unstake",
  "remove_liquidity",
  "claim",
  "bridge",
];

const isSame = (one: Asset, other: Asset): boolean => {
  if (one.kind === "token" || one.kind === "nft")
    return (
      other.kind === one.kind &&
      other.address === one.address &&
      (one.kind !== "nft" || other.kind !== "nft" || other.id === null || other.id === one.id)
    );
  return other.kind === one.kind;
};

/** The native token is no claim that a transaction gives up, and neither is an asset that it is to bring in. */
const mayBeClaim = (asset: Asset, { effects, net }: Reading): boolean => {
  const isBrought = effects.some(
    ({ gets, toChain }) => toChain === null && gets.some((one) => isSame(asset, one.asset)),
  );
  const givesUp = effects.some(({ act }) => givesUpClaims.includes(act));
  return (
    net.leaves.some((one) => one.asset.kind === "unsaid") ||
    (givesUp && !isBrought && asset.kind !== "native")
  );
};

/** Returns how much of an asset may leave; null if the calldata sets no limit. */
function mostOf({ net }: Reading, asset: Asset): bigint | null {
  const found = net.leaves.find((one) => isSame(asset, one.asset));
  if (found === undefined) return 0n;
  return found.everything ? null : found.most;
}

export default defineNode({
  title: "Simulation agrees with the calldata",
  failTitle: "Simulation shows something else",
  severity: "high",
  needs: ["state", "simulation", "reading", "proposal", "registry"],
  check({ simulation, reading, ...world }) {
    if (simulation.reverted !== null)
      return fail(
        `The simulation reverted with ${quoted(simulation.reverted)}, so the transaction would fail.`,
        {
          expected: "a simulation that succeeds",
          observed: quoted(simulation.reverted),
        },
      );
    const { account, sender } = simulation;
    const foreign = simulation.changes.find(
      ({ holder, amount }) => account !== sender && holder === sender && amount < 0n,
    );
    if (foreign !== undefined)
      return fail(
        `The simulation takes ${showAmount(foreign.asset, -foreign.amount, world)} from the sender.`,
        {
          expected: "nothing but the gas, because another account acts",
          observed: showAmount(foreign.asset, -foreign.amount, world),
          fix: "Do not sign.",
        },
      );
    const excess = simulation.changes.find(({ holder, asset, amount }) => {
      const most = mostOf(reading, asset);
      const slack = asset.kind === "token" && most !== 0n ? rounding : 0n;
      return holder === account && amount < 0n && most !== null && -amount > most + slack;
    });
    if (excess !== undefined) {
      const [taken, most] = [
        showAmount(excess.asset, -excess.amount, world),
        mostOf(reading, excess.asset) ?? 0n,
      ];
      if (most === 0n && mayBeClaim(excess.asset, reading))
        return skip("unsupported", `The simulation also takes ${taken}, which may be a claim on the venue.`);
      return fail(`The simulation takes ${taken}, more than the calldata allows.`, {
        expected: `at most ${showAmount(excess.asset, most, world)}`,
        observed: taken,
        fix: "Do not sign. The contract does more than its arguments state.",
      });
    }
    if (simulation.unreadable > 0)
      return skip(
        "unsupported",
        "Some events of the simulation could not be read, so its changes may be incomplete.",
      );
    return pass("Simulated changes stay within what the calldata allows.", { confidence: 0.95 });
  },
});
