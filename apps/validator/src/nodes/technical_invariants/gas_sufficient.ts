/** The gas that the transaction states must be enough to execute it, with some reserve for what changes until then. */
import { defineNode, fail, pass, skip } from "../../node.ts";

/** Percent of the limit. Slots that another transaction clears or sets change the gas by some thousands. */
const reserve = 3n;

export default defineNode({
  title: "Gas limit is sufficient",
  failTitle: "Gas limit is too low",
  severity: "low",
  needs: ["proposal", "simulation"],
  check({ proposal: { gas }, simulation: { gasUsed, calls } }) {
    const { limit } = gas;
    if (limit === null) return skip("not_applicable", "The transaction states no gas limit.");
    if (calls > 1) return skip("unsupported", "The gas limit is not of one of several calls.");
    const used = `${gasUsed.toString()} of ${limit.toString()} gas`;
    if (gasUsed * 100n <= limit * (100n - reserve)) return pass(`The simulation used ${used}.`);
    return fail(`The simulation used ${used}, so the transaction may run out of gas.`, {
      expected: `more than ${gasUsed.toString()} gas`,
      observed: limit.toString(),
      where: { call: "proposed_tx", field: "gas" },
      fix: "Raise the gas limit.",
    });
  },
});
