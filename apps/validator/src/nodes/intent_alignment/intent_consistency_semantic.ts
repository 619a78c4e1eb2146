/** A second reader for free text that fills no slot. It may object, but it never decides alone. */
import { defineNode, judgeOpinion } from "../../node.ts";

export default defineNode({
  title: "Language model sees no difference",
  failTitle: "Language model sees a difference",
  severity: "medium",
  fillable: true,
  needs: ["opinion"],
  check: ({ opinion }) => judgeOpinion(opinion),
});
