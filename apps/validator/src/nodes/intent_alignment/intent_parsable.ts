/** A request that cannot be read licenses nothing: its language is unknown, or it names no known action. */
import { defineNode, pass, quoted, skip } from "../../node.ts";

/** Reasons that we can give only after reading the text. */
const isReadable = /empty|greeting|question/;

export default defineNode({
  title: "Request is understood",
  failTitle: "Request not understood",
  severity: "high",
  needs: ["proposal", "intent", "moves"],
  check({ proposal, intent }) {
    if (intent.steps.length > 0) return pass(`The request was read as ${steps(intent.steps.length)}.`);
    if (intent.notARequest !== null && isReadable.test(intent.notARequest))
      return skip("not_applicable", "The text was read, and it is not a request.");
    const why = intent.language === "unknown" ? "its language is not supported" : "it names no known action";
    return skip("not_understood", `The request was not understood: ${why}.`, {
      expected: "a request that names an action",
      observed: quoted(proposal.words),
      words: [0, proposal.words.length],
      fix: "Use a plain verb: send, swap, approve, supply, withdraw, stake, bridge.",
    });
  },
});

const steps = (count: number): string => (count === 1 ? "one step" : `${count} steps`);
