/** Puts each thing said into its slot. */
import { isAuthority, slotOf, spanOf, type Draft, type Filling } from "./drafts.ts";
import type { Event } from "./events.ts";
import { addParty } from "./place-party.ts";
import { addPortion } from "./place-portion.ts";

type ChainEvent = Event & { k: "chain" };

/** "a Permit2 allowance for the router": with another named, it only says by which way. */
const isWay = ({ spender }: Draft): boolean => spender?.kind === "venue" && spender.venue === "permit2";

const addVenue = ({ draft }: Filling, event: Event & { k: "venue" }): void => {
  const span = spanOf(event);
  if (isAuthority(draft.acts)) {
    if (draft.spender === null || isWay(draft)) draft.spender = { kind: "venue", venue: event.venue, span };
    slotOf(event, "spender");
    return;
  }
  slotOf(event, "venue");
  if (!draft.venues.some((one) => one.venue === event.venue && one.mode === "on"))
    draft.venues.push({ venue: event.venue, mode: "on", span });
};

const CROSSES = new Set<string | undefined>(["bridge", "swap"]);

/** Whether a chain is where the value goes, not where it is. */
const isDestination = ({ acts, chain, toChain }: Draft, event: ChainEvent): boolean => {
  if (toChain !== null || !(acts[0] === "transfer" || acts.some((act) => CROSSES.has(act)))) return false;
  if (/^(?:to|into|key:tochain)$/.test(event.prep ?? "")) return true;
  const second = chain !== null && chain.value !== event.chain;
  return acts.includes("bridge") ? event.prep === "for" || second : acts[0] === "transfer" && second;
};

const addChain = ({ draft, ambiguities }: Filling, event: ChainEvent): void => {
  const value = { value: event.chain, span: spanOf(event) };
  const arrives = isDestination(draft, event);
  slotOf(event, arrives ? "toChain" : "chain");
  if (arrives) draft.toChain = value;
  else if (draft.chain === null) draft.chain = value;
  else if (draft.chain.value !== event.chain) {
    ambiguities.push({
      said: "two chains",
      readings: [String(draft.chain.value), String(event.chain)],
      span: value.span,
    });
  }
};

export const place = (filling: Filling, event: Event): void => {
  if (event.k === "portion") addPortion(filling, event);
  else if (event.k === "party") addParty(filling, event);
  else if (event.k === "venue") addVenue(filling, event);
  else addChain(filling, event);
};
