/** Whether a condition only orders the steps of a request or waits for something else. */
import type { Span } from "../intent.ts";
import type { Item } from "./items.ts";

/** From which item to which, and where that is in the text. */
export type Clause = { readonly from: number; readonly to: number; readonly span: Span };

export const isMainVerb = (item: Item): boolean =>
  item.k === "verb" && item.mark?.flags.includes("light") !== true;

/** After the word that begins the clause. */
const inside = (items: readonly Item[], { from, to }: Clause): readonly Item[] => items.slice(from + 1, to);

const DONE =
  /\b(?:done|completes?|completed|finished|finishes|confirmed|confirms|settles|settled|arrives?|arrived|lands|landed|through|succeeds|clears|cleared|received|listo|completado|confirmado|termine|fertig|abgeschlossen|完成)\b/;

/** "if he confirms" waits for another person; "once it confirms" only states the order. */
const IFS =
  /^(?:(?:but )?only if|if|unless|provided|in case|assuming|(?:solo )?si|(?:so |somente )?se|falls|sofern)\b|\b(?:he|she|they|client|customer|team|dao|court)\b/;

const isStep = (item: Item): boolean => isMainVerb(item) && (item.mark?.acts.length ?? 0) > 0;

/** Names the result of a step, or nothing: "once it is done", "when the tokens arrive", "sobald abgeschlossen". */
const ABOUT_STEP =
  /\b(?:it|its|it's|that|that's|this|those|they|them|everything|both|tx|transaction|swap|trade|transfer|bridge|deposit|withdrawal|approval|wrap|order|tokens?|coins?|funds?|money|balance|proceeds|es|das|sie|esto|eso|isso|isto|cela|ca|这|它)\b|^\S+(?:\s+\S+)?$/;

/** "Wrap 5 ETH; once it is done, send it": one step waits for another. "Send 5 ETH once the goods arrive" has only one. */
const isBetweenSteps = (items: readonly Item[], clause: Clause, said: string): boolean => {
  const isAbout = inside(items, clause).some((item) => isStep(item) || item.k === "asset");
  const others = items.filter((item, at) => isStep(item) && (at < clause.from || at >= clause.to));
  return others.length > 1 && (isAbout || ABOUT_STEP.test(said.toLowerCase()));
};

const isReportAsked = (before: string): boolean =>
  /\b(?:(?:tell|ping|notify|text|message|inform) (?:me|us)|let (?:me|us) know) $/i.test(before);

/** "Once it is done": says only which step comes first. */
export const isOrder = (items: readonly Item[], clause: Clause, text: string): boolean => {
  const said = text.slice(clause.span[0], clause.span[1]);
  const isCounted = inside(items, clause).some(({ k, read }) => k === "num" && read !== null);
  if (isCounted || !isWaiting(said) || !DONE.test(said.toLowerCase())) return false;
  return isBetweenSteps(items, clause, said) || isReportAsked(text.slice(0, clause.span[0]));
};

/** "As soon as ETH is above 3000": a transaction that is sent now does not wait, whatever its minimum is. */
export const isWaiting = (said: string): boolean => !IFS.test(said.toLowerCase());
