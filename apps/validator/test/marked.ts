/** Readings for tests, written as marked texts: "[story It rained.] [act0 Send] [amount0 5 ETH] [frame0 to] [recipient0 0x…]". */
import { placeProposal, Proposal } from "../src/words/readings/parse-proposal.ts";
import type { Reading } from "../src/words/readings/reading.ts";
import { A, B } from "./words.ts";

const PIECE = /\[([a-z]+)(\d?) ([^\]]*)\]/g;

/** The text, and its reading with these acts. {A} and {B} stand for addresses. */
export function marked(acts: string, source: string): { readonly text: string; readonly reading: Reading } {
  const filled = source.replaceAll("{A}", A).replaceAll("{B}", B);
  const pieces = [...filled.matchAll(PIECE)].map(([, as, step = "", text]) => ({
    text,
    as,
    ...(step === "" ? {} : { step: Number(step) }),
  }));
  const text = filled.replace(PIECE, "$3");
  const steps = acts.split(" ").map((act) => ({ act }));
  const reading = placeProposal(Proposal.parse({ version: 1, steps, pieces }), text);
  if (reading === null) throw new Error(`no reading of: ${text}`);
  return { text, reading };
}
