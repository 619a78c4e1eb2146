/**
 * A signature covers the hash of types, domain and message. If they do not fit together, the wallet shows something
 * else.
 */
import { defineNode, fail, judgeDefects, pass, skip } from "../../node.ts";

const fix = "Send {domain, types, primaryType, message} exactly as they will be hashed.";

export default defineNode({
  title: "Typed data is well formed",
  failTitle: "Malformed typed data",
  severity: "high",
  needs: ["proposal"],
  check({ proposal }) {
    const ok = "Types, domain and message fit together.";
    const found = judgeDefects(proposal.defects, { check: "typed_data_wellformed", ok, fix });
    if (found.status !== "PASS") return found;
    const { typedData } = proposal;
    if (typedData === null) return skip("not_applicable", "There is no typed data.");
    const { domain, types, primaryType, message } = typedData;
    const where = { call: "proposed_tx.order", field: "domain" };
    const missing = ["verifyingContract", "chainId"].find((member) => (domain[member] ?? null) === null);
    if (missing !== undefined)
      return fail(`The domain has no ${missing}, so the signature is also valid elsewhere.`, {
        expected: `domain.${missing}`,
        observed: "absent",
        where,
        fix: `Add ${missing} to the domain, as the contract hashes it.`,
      });
    const declared = types[primaryType]?.map(({ name }) => name);
    const extra =
      declared === undefined ? undefined : Object.keys(message).find((name) => !declared.includes(name));
    if (extra === undefined) return pass(ok);
    return fail(
      "The message has a member that its type does not declare, so the member is shown but not signed.",
      {
        expected: (declared ?? []).join(", "),
        observed: extra,
        where: { call: "proposed_tx.order", field: `message.${extra}` },
        fix,
      },
    );
  },
});
