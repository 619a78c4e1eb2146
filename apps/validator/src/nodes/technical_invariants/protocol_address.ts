/** A function of a known protocol at an address that is not that protocol’s on this chain: a copy, or another chain’s. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "A protocol is called at its own address",
  severity: "critical",
  needs: ["moves", "contracts"],
  check({ moves, contracts }) {
    const copy = moves.find(
      ({ knowledge, protocol, act }) =>
        knowledge === "selector" && act !== "opaque" && !contracts.isStandard(protocol),
    );
    if (copy === undefined) return pass("Every protocol is called at an address of its own on this chain.");
    return fail(
      `${copy.function} looks like ${copy.protocol}, and ${copy.target ?? "the target"} is not its contract on this chain.`,
      {
        expected: `a contract of ${copy.protocol} on this chain`,
        observed: copy.target ?? "",
        where: copy.where,
        fix: `Call ${copy.protocol} at its published address on this chain.`,
      },
    );
  },
});
