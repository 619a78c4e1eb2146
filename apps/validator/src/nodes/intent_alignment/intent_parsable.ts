/** What cannot be read cannot license anything: an unknown language, or words in which no action is found. */
import { defineNode, pass, quoted, skip } from "../../node.ts";

/** Reasons that rest on having understood the words. */
const isReadable = /empty|greeting|question/;

export default defineNode({
  title: "The words can be read",
  severity: "high",
  needs: ["proposal", "intent", "moves"],
  check({ proposal, intent }) {
    if (intent.steps.length > 0) return pass(`The words were read as ${steps(intent.steps.length)}.`);
    if (intent.notARequest !== null && isReadable.test(intent.notARequest))
      return skip("not_applicable", "The words were read, and are no request at all.");
    const why =
      intent.language === "unknown" ? "its language is not supported" : "it names no action that we know";
    return skip("not_understood", `The request was not understood: ${why}.`, {
      expected: "a request whose action is named",
      observed: quoted(proposal.words),
      words: [0, proposal.words.length],
      fix: "Name the action with a plain verb: send, swap, approve, supply, withdraw, stake, bridge.",
    });
  },
});

const steps = (count: number): string => (count === 1 ? "one step" : `${count} steps`);
