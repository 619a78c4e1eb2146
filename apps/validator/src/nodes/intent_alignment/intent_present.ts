/** Something may only happen because somebody asked. A greeting, a question or silence asks for nothing. */
import { defineNode, pass, quoted, skip } from "../../node.ts";

export default defineNode({
  title: "The words ask for something",
  severity: "high",
  needs: ["proposal", "intent"],
  check({ proposal, intent }) {
    if (intent.notARequest === null) return pass("The words ask for something to be done.");
    return skip("not_understood", `The request does not say what to do: ${intent.notARequest}.`, {
      expected: "a request in plain words",
      observed: quoted(proposal.words),
      words: [0, proposal.words.length],
      fix: "Say in human_intent what is to be done: the action, the amount, the asset and the recipient.",
    });
  },
});
