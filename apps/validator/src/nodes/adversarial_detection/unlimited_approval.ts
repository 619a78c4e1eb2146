/** An unlimited approval outlives its purpose: its holder can take everything at any time. */
import { asAddress, defineNode, fail, pass, short } from "../../node.ts";
import type { Authority } from "../../facts.ts";

/** Some tokens store allowances in 96 bits; their maximum means “all”. */
const unlimitedFrom = 2n ** 96n - 1n;

const isUnlimited = ({ asset, amount }: Authority): boolean =>
  asset !== null &&
  (amount.everything === true || amount.most >= unlimitedFrom || (asset.kind === "nft" && asset.id === null));

export default defineNode({
  title: "No unlimited approval for a stranger",
  failTitle: "Unlimited approval",
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
      return fail(`${short(spender)} could spend without limit and is not a contract of a known protocol.`, {
        expected: "an approval of the needed amount for a known contract",
        observed: `unlimited to ${spender}`,
        where: authority.where,
        severity: "critical",
        fix: `Lower the approval at ${authority.where.call} ${authority.where.field} to the needed amount.`,
      });
    }
    return pass("Remaining approvals are limited or belong to known contracts.", { confidence: 0.95 });
  },
});
