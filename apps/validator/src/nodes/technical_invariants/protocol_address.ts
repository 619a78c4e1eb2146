/** A known protocol’s function at another address on this chain: a copy, or the address of another chain. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Protocol is called at its own address",
  failTitle: "Imitates a protocol",
  severity: "critical",
  needs: ["moves", "contracts"],
  check({ moves, contracts }) {
    const copy = moves.find(
      ({ knowledge, protocol, act }) =>
        knowledge === "selector" && act !== "opaque" && !contracts.isStandard(protocol),
    );
    if (copy === undefined) return pass("Every protocol is called at its own address on this chain.");
    return fail(
      `${copy.function} looks like ${copy.protocol}, but ${copy.target ?? "the target"} is not its contract on this chain.`,
      {
        expected: `a contract of ${copy.protocol} on this chain`,
        observed: copy.target ?? "",
        where: copy.where,
        fix: `Call ${copy.protocol} at its published address on this chain.`,
      },
    );
  },
});
