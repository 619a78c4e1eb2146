/** A signature over 32 bytes is one over a hash, and a hash can stand for any transaction. */
import { defineNode, fail, pass, skip } from "../../node.ts";

/** Contracts accept the EIP-191 signature of 32 bytes as one of a hash. */
const isHashLong = (text: string): boolean => new TextEncoder().encode(text).length === 32;

/** Too few hashes look like words for one of them to be found by search. */
const words = /^\p{L}+(?:[ ,.;:!?'’-]+\p{L}+)+[.!?]?$/u;

/** Returns why the text can stand for something else, as a clause. */
function findDisguise(message: string): string | null {
  if (isHashLong(message) && !words.test(message)) return "it has exactly 32 bytes, as a hash has";
  return /^(?:0x)?[0-9a-f]{64,}$/i.test(message.replaceAll(/\s/g, "")) ? "it is a hash in hex" : null;
}

export default defineNode({
  title: "The message is no hash",
  failTitle: "A hash instead of a message",
  severity: "critical",
  needs: ["proposal"],
  check({ proposal }) {
    const { message } = proposal;
    if (message === null) return skip("not_applicable", "No message is signed.");
    const why = findDisguise(message);
    if (why === null)
      return isHashLong(message)
        ? skip(
            "not_checked",
            "The message has exactly 32 bytes, as a hash has. It is words, so it is probably none.",
          )
        : pass("The message is a text and no hash.");
    return fail(`The message can stand for any transaction: ${why}.`, {
      expected: "a text that says what is signed",
      observed: "a hash",
      where: { call: "proposed_tx.personal_message", field: "personal_message" },
      fix: "Propose what the hash stands for, as a transaction or as typed data.",
    });
  },
});
