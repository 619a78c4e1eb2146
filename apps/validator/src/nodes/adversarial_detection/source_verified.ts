/** Honest contracts publish their source; drainers rarely do. A published source is no proof that a contract is honest. */
import { defineNode, fail, pass, quoted, short, skip } from "../../node.ts";

export default defineNode({
  title: "Source of unknown contracts is verified",
  failTitle: "Contract without verified source",
  severity: "medium",
  needs: ["strangers", "contractData", "proposal"],
  check({ strangers, contractData, proposal }) {
    const all = strangers.map((one) => ({ ...one, record: contractData.at(proposal.chain.id, one.address) }));
    for (const { address, role, where, record } of all)
      if (record?.verification === "none")
        return fail(`${short(address)} (${role}) has no verified source.`, {
          expected: "contracts with verified source code",
          observed: `no source at ${quoted(record.source)}, ${record.asOf ?? "without a date"}`,
          where,
          fix: "Use a contract whose source is verified.",
        });
    const unknown = all.find(({ record }) => (record?.verification ?? null) === null);
    if (unknown !== undefined)
      return skip(
        "missing_context",
        `No file says whether the source of ${short(unknown.address)} is verified.`,
      );
    const unexecuted = all.find(({ isExecuted }) => !isExecuted);
    if (unexecuted !== undefined)
      return skip(
        "missing_context",
        `${short(unexecuted.address)} was not executed on a proven state, so an implementation behind it is not known.`,
      );
    return pass("The source of every unknown contract is verified, also behind proxies.", {
      confidence: all.every(({ record }) => record?.verification === "exact") ? 0.9 : 0.8,
      evidence: all.map(({ address, role, record }) => ({
        ...{ kind: role, ref: address, value: `${record?.verification ?? ""}, ${record?.asOf ?? ""}` },
      })),
    });
  },
});
