/** An allowance without end outlives its purpose, and whoever holds it takes everything whenever they like. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";
import type { Authority } from "../../facts.ts";

/** Some tokens store allowances in 96 bits, and their “all” is the largest of those. */
const unlimitedFrom = 2n ** 96n - 1n;

const isUnlimited = ({ asset, amount }: Authority): boolean =>
  asset !== null &&
  (amount.everything === true || amount.most >= unlimitedFrom || (asset.kind === "nft" && asset.id === null));

export default defineNode({
  title: "No stranger may spend without limit",
  severity: "high",
  needs: ["reading", "approvals", "intent", "contracts", "wordsAddresses"],
  check({ reading, intent, contracts, wordsAddresses }) {
    const isAsked = intent.steps.some(({ gives }) =>
      gives.some(({ quantity }) => quantity?.kind === "unlimited"),
    );
    const said = new Set(wordsAddresses.map(({ address }) => address));
    for (const authority of reading.net.authority.filter(isUnlimited)) {
      const spender = asAddress(authority.spender);
      if (spender === null || contracts.at(spender).length > 0) continue;
      if (isAsked && said.has(spender)) continue;
      return fail(`${short(spender)} could spend without limit, and is no contract of a known protocol.`, {
        expected: "an allowance of the amount that is needed, to a known contract",
        observed: `unlimited to ${spender}`,
        where: authority.where,
        severity: "critical",
        fix: `Lower the allowance at ${authority.where.call} ${authority.where.field} to the amount that is needed.`,
      });
    }
    return pass("What remains allowed is limited, or held by a known contract.", { confidence: 0.95 });
  },
});
