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

/** Returns how much of an asset may leave; null if the calldata sets no limit. */
function mostOf({ net }: Reading, asset: Asset): bigint | null {
  const isSame = (other: Asset): boolean => {
    if (asset.kind === "token" || asset.kind === "nft")
      return (
        other.kind === asset.kind &&
        other.address === asset.address &&
        (asset.kind !== "nft" || other.kind !== "nft" || other.id === null || other.id === asset.id)
      );
    return other.kind === asset.kind;
  };
  const found = net.leaves.find((one) => isSame(one.asset));
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
    const excess = simulation.changes.find(({ holder, asset, amount }) => {
      const most = mostOf(reading, asset);
      const slack = asset.kind === "token" && most !== 0n ? rounding : 0n;
      return holder === world.proposal.actor && amount < 0n && most !== null && -amount > most + slack;
    });
    if (excess !== undefined) {
      const [taken, most] = [
        showAmount(excess.asset, -excess.amount, world),
        mostOf(reading, excess.asset) ?? 0n,
      ];
      const isClaim = reading.effects.some(({ act }) => givesUpClaims.includes(act));
      if (most === 0n && (isClaim || reading.net.leaves.some(({ asset }) => asset.kind === "unsaid")))
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
