/** We do not approve calldata that we cannot read: the owner would sign blind. */
import { defineNode, pass, skip } from "../../node.ts";
import type { Knowledge } from "../../facts.ts";

/** How reliable the meaning of a call is (validator.md 5.4). */
const sureness: Readonly<Record<Knowledge, number>> = {
  bound: 1,
  standard: 0.97,
  selector: 0.9,
  measured: 0.85,
  none: 0.6,
};

export default defineNode({
  title: "Everything to be signed can be read",
  failTitle: "Part of it can’t be read",
  severity: "critical",
  needs: ["reading", "moves"],
  required: true,
  check({ reading, moves }) {
    const opaque = moves.find(({ act }) => act === "opaque");
    if (opaque !== undefined)
      return skip(
        "not_checked",
        `We could not read ${opaque.where.call}: ${opaque.terms.faults?.[0]?.text ?? "we do not know what this call does"}.`,
        {
          expected: "calls with a known meaning",
          observed: `${opaque.target ?? "no contract"} ${opaque.function}`.trim(),
          where: opaque.where,
          fix: "Call a contract and a function that are in our tables, or add the protocol.",
        },
      );
    if (reading.limit !== null)
      return skip("not_checked", `Only part of the transaction was read: ${reading.limit}.`, {
        expected: "the whole transaction read",
        observed: reading.limit,
      });
    const confidence = Math.min(...moves.map(({ knowledge }) => sureness[knowledge]));
    return pass(`All ${reading.leaves.length} calls and messages were read.`, { confidence });
  },
});
