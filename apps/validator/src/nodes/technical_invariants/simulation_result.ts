/** What a node saw when it ran the bytes. It may convict, and never acquits. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "The simulation does what the bytes say",
  severity: "high",
  needs: ["simulation", "reading"],
  check({ simulation, reading }) {
    if (simulation.reverted !== null)
      return fail("The simulation reverted.", {
        expected: "a run to the end",
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
      return pass("Simulated changes stay within what the bytes say.", { confidence: 0.8 });
    return fail(
      `The simulation takes ${(-excess.delta).toString()} base units of ${excess.asset}, more than the bytes say.`,
      {
        expected: `at most ${(bounded.get(excess.asset) ?? 0n).toString()}`,
        observed: (-excess.delta).toString(),
        fix: "Do not sign: the contract does more than its arguments say.",
      },
    );
  },
});
