import { testNode } from "../../../test/nodes.ts";
import node from "./intent_consistency_semantic.ts";

const objection = { status: "FAIL", issues: ["extra_effect"], quotes: [[0, 4]], why: "Pays twice" } as const;

testNode(node, {
  pass: [{ name: "no objection" }],
  fail: [
    { name: "an objection", facts: { opinion: objection }, because: "“Pays twice”" },
    {
      name: "an objection without a word or a place",
      facts: { opinion: { ...objection, issues: [], quotes: [], why: "" } },
      because: "A language model objects",
    },
    {
      name: "an objection that is longer than a sentence shows",
      facts: { opinion: { ...objection, why: "no ".repeat(80) } },
      because: "…”",
    },
  ],
  skip: [
    { name: "no model", missing: "opinion" },
    {
      name: "a model that did not answer",
      facts: { opinion: { status: "SKIP", kind: "llm_unavailable", reasoning: "It did not answer." } },
      because: "It did not answer.",
    },
  ],
});
