/** Capitals in an address are a checksum. Where they are wrong, a digit was mistyped or changed. */
import { defineNode, fail, judgeDefects, short, skip } from "../../node.ts";

export default defineNode({
  title: "Checksums of addresses are right",
  severity: "high",
  needs: ["proposal", "wordsAddresses"],
  check({ proposal, wordsAddresses }) {
    const fix = "Copy the address again from its source.";
    const found = judgeDefects(proposal.defects, { check: "checksum", ok: "Every checksum is right.", fix });
    if (found.status !== "PASS") return found;
    const wrong = wordsAddresses.find(({ checksum }) => checksum === "wrong");
    if (wrong !== undefined)
      return fail(`The capitals of ${short(wrong.text)} in the words are not those of its checksum.`, {
        expected: "an address with its EIP-55 capitals, or all in one case",
        observed: wrong.text,
        words: wrong.span,
        fix,
      });
    if (wordsAddresses.every(({ checksum }) => checksum === "absent"))
      return skip(
        "not_applicable",
        "No address in the words carries a checksum, and none in the transaction is wrong.",
      );
    return found;
  },
});
