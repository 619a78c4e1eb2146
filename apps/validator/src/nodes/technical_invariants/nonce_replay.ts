/** A permit or order whose nonce is used up can only fail, or is shown to somebody who has signed it before. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Nonces are unused",
  severity: "low",
  needs: ["signed", "chainState"],
  check({ signed, chainState }) {
    const used = signed.find(
      ({ target, terms: { nonce } }) =>
        nonce !== undefined && target !== null && chainState.usedNonces.has(`${target}:${nonce.toString()}`),
    );
    if (used === undefined) return pass("No nonce of what is signed was used before.");
    return fail(`The nonce ${used.terms.nonce?.toString() ?? ""} was used before.`, {
      expected: "an unused nonce",
      observed: used.terms.nonce?.toString() ?? "",
      where: used.places["nonce"] ?? used.where,
      fix: "Build it again with the next nonce.",
    });
  },
});
