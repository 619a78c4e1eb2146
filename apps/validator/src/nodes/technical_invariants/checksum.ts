/** The capital letters of an address are a checksum. If they are wrong, a digit was mistyped or changed. */
import { defineNode, fail, judgeDefects, short, skip } from "../../node.ts";

export default defineNode({
  title: "Address checksums are correct",
  failTitle: "Wrong address checksum",
  severity: "high",
  needs: ["proposal", "wordsAddresses"],
  check({ proposal, wordsAddresses }) {
    const fix = "Copy the address again from its source.";
    const found = judgeDefects(proposal.defects, {
      check: "checksum",
      ok: "Every checksum is correct.",
      fix,
    });
    if (found.status !== "PASS") return found;
    const wrong = wordsAddresses.find(({ checksum }) => checksum === "wrong");
    if (wrong !== undefined)
      return fail(
        `The address ${short(wrong.text)} in the request has a wrong checksum. It may contain a typo.`,
        {
          expected: "an address with its EIP-55 checksum, or all in one case",
          observed: wrong.text,
          words: wrong.span,
          fix,
        },
      );
    if (wordsAddresses.every(({ checksum }) => checksum === "absent"))
      return skip(
        "not_applicable",
        "No address in the request has a checksum, and none in the transaction is wrong.",
      );
    return found;
  },
});
