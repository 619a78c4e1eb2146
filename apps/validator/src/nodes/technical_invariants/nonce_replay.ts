/** A permit or order with a used nonce can only fail, or was signed before. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Nonces are unused",
  failTitle: "Nonce is already used",
  severity: "low",
  needs: ["signed", "chainState"],
  check({ signed, chainState }) {
    const used = signed.find(
      ({ target, terms: { nonce } }) =>
        nonce !== undefined && target !== null && chainState.usedNonces.has(`${target}:${nonce.toString()}`),
    );
    if (used === undefined) return pass("Every signed nonce is unused.");
    return fail(`The nonce ${used.terms.nonce?.toString() ?? ""} is already used.`, {
      expected: "an unused nonce",
      observed: used.terms.nonce?.toString() ?? "",
      where: used.places["nonce"] ?? used.where,
      fix: "Build it again with the next nonce.",
    });
  },
});
