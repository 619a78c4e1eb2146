/**
 * The amounts that the calldata states must arrive in the simulation: at the account, and at each recipient that it pays. The simulation
 * does not show what arrives on another chain.
 */
import { asAddress, defineNode, fail, pass, short, showAmount, skip } from "../../node.ts";
import { measuredChange, sameAsset, type Address, type Asset, type Effect, type Facts } from "../../facts.ts";

/** Tokens that count in shares round by a unit or two. */
const rounding = 2n;

type Owed = { readonly holder: Address; readonly asset: Asset; readonly least: bigint };

/** Payments to others: a transfer delivers what it takes, anything else what it states. */
const owedToOthers = ({ act, payer, receiver, gives, gets, toChain }: Effect): readonly Owed[] => {
  const holder = asAddress(receiver);
  if (holder === null || payer !== "self" || toChain !== null) return [];
  const flows = gets.length > 0 ? gets : act === "transfer" ? gives : [];
  // A contract may pass on the native token at once, as deposit addresses do. The chain itself delivers it in full.
  return flows
    .filter(({ asset }) => asset.kind !== "native")
    .map(({ asset, amount }) => ({ holder, asset, least: amount.least }));
};

function listOwed({ reading, simulation }: Pick<Facts, "reading" | "simulation">): readonly Owed[] {
  const { arrives, leaves } = reading.net;
  const own = arrives
    .filter(({ toChain }) => toChain === undefined)
    // Of an asset that also leaves only the difference is measured.
    .filter(({ asset }) => !leaves.some((one) => sameAsset(one.asset, asset)))
    .map(({ asset, least }) => ({ holder: simulation.account, asset, least }));
  const sums: Owed[] = [];
  for (const one of [...own, ...reading.effects.flatMap(owedToOthers)]) {
    const at = sums.findIndex(({ holder, asset }) => holder === one.holder && sameAsset(asset, one.asset));
    const before = sums[at];
    if (before === undefined) sums.push(one);
    else sums[at] = { ...before, least: before.least + one.least };
  }
  return sums.filter(({ least }) => least > 0n);
}

export default defineNode({
  title: "Simulation delivers what the calldata states",
  failTitle: "Less arrives than stated",
  severity: "high",
  needs: ["state", "simulation", "reading", "proposal", "registry"],
  check({ simulation, reading, ...world }) {
    if (simulation.reverted !== null)
      return skip("not_applicable", "The simulation reverted, so nothing arrives.");
    const owed = listOwed({ reading, simulation });
    if (owed.length === 0) return skip("not_applicable", "The calldata states no amount that must arrive.");
    const found = owed.map((one) => ({ ...one, arrived: measuredChange(simulation, one.holder, one.asset) }));
    const less = found.find(({ arrived, least }) => arrived !== null && arrived + rounding < least);
    if (less !== undefined) {
      const { holder, asset, least, arrived } = less;
      const [stated, seen] = [showAmount(asset, least, world), showAmount(asset, arrived ?? 0n, world)];
      const who = holder === simulation.account ? "the account" : short(holder);
      return fail(`In the simulation ${seen} arrives at ${who}; the calldata states ${stated}.`, {
        expected: `at least ${stated}`,
        observed: seen,
        fix: "Use a token that does not keep a fee, or state the amount that arrives.",
      });
    }
    const measured = found.filter(({ arrived }) => arrived !== null);
    if (measured.length < found.length)
      return skip("unsupported", "The simulation does not show everything that must arrive.");
    const [first] = measured;
    if (first === undefined) return skip("unsupported", "The simulation does not show what arrives.");
    return pass(
      `In the simulation ${showAmount(first.asset, first.arrived ?? 0n, world)} arrives, as stated or more.`,
      {
        confidence: 0.95,
        evidence: measured.map(({ holder, asset, arrived }) => ({
          kind: "arrival",
          ref: holder,
          value: showAmount(asset, arrived ?? 0n, world),
        })),
      },
    );
  },
});
