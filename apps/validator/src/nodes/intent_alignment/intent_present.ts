/** A transaction needs a request. A greeting, a question or an empty text requests nothing. */
import { defineNode, pass, quoted, skip } from "../../node.ts";

export default defineNode({
  title: "Request asks for an action",
  failTitle: "There’s no request",
  severity: "high",
  needs: ["proposal", "intent"],
  check({ proposal, intent }) {
    if (intent.notARequest === null) return pass("The request asks for an action.");
    return skip("not_understood", `The request does not say what to do: ${intent.notARequest}.`, {
      expected: "a request in plain language",
      observed: quoted(proposal.words),
      words: [0, proposal.words.length],
      fix: "Put the request in human_intent: action, amount, asset and recipient.",
    });
  },
});
