/** A signed delegation puts somebody’s code in the account. Most of those seen in the wild belong to sweepers. */
import { asAddress, defineNode, fail, pass, skip } from "../../node.ts";

type Found = { readonly isEverywhere: boolean; readonly isKnown: boolean; readonly isAsked: boolean };

function objection({ isEverywhere, isKnown, isAsked }: Found): string | null {
  if (isEverywhere) return "it holds on every chain";
  if (!isKnown) return "the delegate is unknown";
  return isAsked ? null : "nobody asked for it";
}

export default defineNode({
  title: "The account’s code is not given to a stranger",
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
      return fail(`The account’s code would become ${delegate ?? "another’s"}: ${why}.`, {
        expected: "no delegation, or one that was asked for, to a known delegate, on this chain",
        observed: delegate ?? "",
        where: effect.where,
        fix: "Take the authorization out.",
      });
    }
    return pass("Every delegation was asked for, goes to a known delegate and holds on one chain.", {
      confidence: 0.9,
    });
  },
});
