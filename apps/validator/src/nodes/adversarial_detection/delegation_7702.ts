/** A signed delegation puts foreign code into the account. Most delegations on chain belong to sweepers. */
import { asAddress, defineNode, fail, pass, skip } from "../../node.ts";

type Found = { readonly isEverywhere: boolean; readonly isKnown: boolean; readonly isAsked: boolean };

function objection({ isEverywhere, isKnown, isAsked }: Found): string | null {
  if (isEverywhere) return "it is valid on every chain";
  if (!isKnown) return "the delegate is unknown";
  return isAsked ? null : "the request does not ask for it";
}

export default defineNode({
  title: "Account code is not delegated to a stranger",
  failTitle: "Wallet code handed over",
  severity: "critical",
  needs: ["reading", "contracts", "wordsAddresses", "entailment"],
  check({ reading, contracts, wordsAddresses, entailment }) {
    const delegations = reading.effects
      .map((effect, index) => ({ effect, index }))
      .filter(({ effect }) => effect.admin?.kind === "delegate_code");
    if (delegations.length === 0)
      return skip("not_applicable", "No delegation of the account’s code is signed.");
    const said = new Set(wordsAddresses.map(({ address }) => address));
    const asked = new Set(
      entailment.licences.filter(({ step }) => step !== null).map(({ effect }) => effect),
    );
    for (const { effect, index } of delegations) {
      const delegate = asAddress(effect.admin?.party ?? null);
      const why = objection({
        isEverywhere: effect.terms.anyChain === true,
        isKnown: delegate !== null && (contracts.at(delegate).length > 0 || said.has(delegate)),
        isAsked: asked.has(index),
      });
      if (why === null) continue;
      return fail(`The account would run the code of ${delegate ?? "another contract"}: ${why}.`, {
        expected: "no delegation, or a requested one to a known delegate on this chain",
        observed: delegate ?? "",
        where: effect.where,
        fix: "Remove the authorization.",
      });
    }
    return pass("Every delegation is requested, goes to a known delegate and is valid on one chain.", {
      confidence: 0.9,
    });
  },
});
