/** A contract that is in no table is checked by its effect on a proven state, within bounds that the request states. */
import { defineNode, pass, short, skip } from "../../node.ts";

export default defineNode({
  title: "Effect of the unknown contract is proven",
  failTitle: "Unknown contract, effect not proven",
  severity: "critical",
  needs: ["byEffect"],
  check({ byEffect }) {
    if (byEffect.status === "open")
      return skip("not_checked", `We do not know the contract ${short(byEffect.contract)}. ${byEffect.why}`, {
        expected: "an effect that is proven, and that the request bounds",
        observed: byEffect.why,
        fix: "Name the contract, the most that may leave and the least that must arrive in the request.",
      });
    const { contract, block, shown, variants } = byEffect;
    const number = block.number.toString();
    return pass(`Checked by its effect on block ${number}: ${shown}, and nothing else changes.`, {
      confidence: 0.85,
      evidence: [
        { kind: "block", ref: block.hash, value: number },
        { kind: "contract", ref: contract, value: `${variants} other runs have the same effect` },
      ],
    });
  },
});
