/** An engine can have a bug, or be made to have one. Two that were written apart rarely have the same. */
import { findObjection } from "../../facts.ts";
import { defineNode, pass, quoted, skip } from "../../node.ts";

export default defineNode({
  title: "Two engines have the same result",
  failTitle: "Two engines have different results",
  severity: "high",
  needs: ["engines"],
  check({ engines }) {
    if (engines.status === "agree") {
      const { outcome, gas_used: gas, logs, hash } = engines.first;
      const result = gas === null ? outcome : `${outcome}, ${gas} gas, ${logs} logs`;
      return pass(`A second engine has the same result, with all logs, balances and slots: ${result}.`, {
        evidence: [{ kind: "engine", ref: quoted(engines.engine), value: hash }],
      });
    }
    const objection = findObjection(engines);
    if (objection === null)
      return skip("unsupported", `The second engine cannot tell: ${"why" in engines ? engines.why : ""}.`);
    return skip("not_checked", objection, {
      evidence:
        engines.status === "differs"
          ? engines.differences.map(({ what, first, second }) => ({
              ...{ kind: "difference", ref: what, value: `first: ${first}; second: ${second}` },
            }))
          : [],
      fix: "Capture the state of this call again. If the engines still differ, report the request: one of them is wrong.",
    });
  },
});
