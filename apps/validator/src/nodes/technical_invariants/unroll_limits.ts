/** Unlimited nesting can hide a call, so calls that are too deep or too large to read are rejected. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Calls are not too deeply nested",
  failTitle: "Too deeply nested",
  severity: "high",
  needs: ["reading"],
  check({ reading: { limit, leaves } }) {
    if (limit === null) return pass(`${leaves.length} calls were read completely.`);
    return fail(`Nested calls were not read completely: ${limit}.`, {
      expected: "at most 8 levels, 256 calls and 1 MiB",
      observed: limit,
      fix: "Split the transaction into smaller ones.",
    });
  },
});
