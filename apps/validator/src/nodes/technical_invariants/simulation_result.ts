/** Uses a simulation by a chain node. It can add a FAIL, but never replaces another check. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Simulation agrees with the calldata",
  failTitle: "Simulation shows something else",
  severity: "high",
  needs: ["simulation", "reading"],
  check({ simulation, reading }) {
    if (simulation.reverted !== null)
      return fail("The simulation reverted, so the transaction would fail.", {
        expected: "a simulation that succeeds",
        observed: simulation.reverted,
      });
    const bounded = new Map(
      reading.net.leaves.flatMap(({ asset, most, everything }) =>
        asset.kind === "unsaid"
          ? []
          : [[asset.kind === "native" ? "native" : asset.address, everything ? null : most] as const],
      ),
    );
    const excess = simulation.changes.find(({ asset, delta }) => {
      const most = bounded.has(asset) ? bounded.get(asset) : 0n;
      return delta < 0n && most !== null && most !== undefined && -delta > most;
    });
    if (excess === undefined)
      return pass("Simulated changes stay within what the calldata allows.", { confidence: 0.8 });
    return fail(
      `The simulation takes ${(-excess.delta).toString()} base units of ${excess.asset}, more than the calldata allows.`,
      {
        expected: `at most ${(bounded.get(excess.asset) ?? 0n).toString()}`,
        observed: (-excess.delta).toString(),
        fix: "Do not sign. The contract does more than its arguments state.",
      },
    );
  },
});
