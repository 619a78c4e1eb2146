/** A second reader, for what the rules leave over: free text that fills no slot. It may object; alone it never decides. */
import { defineNode, judgeOpinion } from "../../node.ts";

export default defineNode({
  title: "A language model has no objection",
  severity: "medium",
  fillable: true,
  needs: ["opinion"],
  check: ({ opinion }) => judgeOpinion(opinion),
});
