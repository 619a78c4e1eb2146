/** A pool, market, account or id that the caller chose counts only if it is known, stated or proven. */
import { defineNode, judge, type Finding } from "../../node.ts";
import type { Comparison } from "../../facts.ts";

export default defineNode({
  title: "Everything the transaction relies on is known or requested",
  failTitle: "Relies on something unknown",
  severity: "critical",
  needs: ["compared.choice"],
  check(facts) {
    const found = judge(facts["compared.choice"]);
    const open = facts["compared.choice"].find(({ words, outcome }) => words === null && outcome !== "same");
    // A choice that the request names is compared like any other slot.
    return open === undefined || found.status === "PASS" || isNotRead(found) ? found : sayOpen(open, found);
  },
});

const isNotRead = (found: Finding): boolean => found.status === "SKIP" && found.kind === "not_understood";

const sayOpen = ({ does }: Comparison, found: Finding): Finding => ({
  ...found,
  reasoning: `The transaction relies on ${does}, which the request does not name and which is not in our tables.`,
});
