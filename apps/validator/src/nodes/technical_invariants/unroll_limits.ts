/** Nesting without end is a way to hide: what is too deep or too much to read is refused. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Calls within calls end",
  severity: "high",
  needs: ["reading"],
  check({ reading: { limit, leaves } }) {
    if (limit === null) return pass(`${leaves.length} calls were unrolled to the end.`);
    return fail(`Unrolling stopped: ${limit}.`, {
      expected: "at most 8 levels, 256 calls and 1 MiB",
      observed: limit,
      fix: "Split the transaction into smaller ones.",
    });
  },
});
