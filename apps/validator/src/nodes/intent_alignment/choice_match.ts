/** Pools, markets, accounts, ids: what the caller of a contract picked counts only if it is known, stated or proven. */
import { defineNode, judge, type Finding } from "../../node.ts";
import type { Comparison } from "../../facts.ts";

export default defineNode({
  title: "Everything the transaction relies on is known or was named",
  severity: "critical",
  needs: ["compared.choice"],
  check(facts) {
    const found = judge(facts["compared.choice"]);
    const open = facts["compared.choice"].find(({ words, outcome }) => words === null && outcome !== "same");
    // What the request names is compared like anything else.
    return open === undefined || found.status === "PASS" || isNotRead(found) ? found : sayOpen(open, found);
  },
});

const isNotRead = (found: Finding): boolean => found.status === "SKIP" && found.kind === "not_understood";

const sayOpen = ({ does }: Comparison, found: Finding): Finding => ({
  ...found,
  reasoning: `The transaction relies on ${does}, which the request does not name and we do not know.`,
});
