/**
 * Reads the addresses of a request in the places that matter for an unknown contract: where it happens ("on 0x…", "into 0x…"), and
 * of which token ("49 shares of 0x…").
 */
import type { AssetRef, Intent, PartyRef, Portion, Span, Step } from "../../intent.ts";
import type { Address } from "../../proposal.ts";
import type { World } from "../world.ts";

type Found = { readonly address: Address; readonly span: Span };

const listAddresses = (words: string): readonly Found[] =>
  [...words.matchAll(/(?<![0-9a-zA-Z])0[xX]([0-9a-fA-F]{40})(?![0-9a-zA-Z])/g)].map(
    ({ 0: text, 1: digits = "", index }) => ({
      address: `0x${digits.toLowerCase()}`,
      span: [index, index + text.length],
    }),
  );

const kindOfPlace =
  "(?:the|this|smart|new|contract|vault|pool|router|exchange|market|farm|merchant|shop|address|at)";
const place = new RegExp(
  `\\b(?:on|in|into|at|via|through|using|with|to|from|by)(?:\\s+${kindOfPlace}){0,4}\\s*[:(]?\\s*$`,
  "i",
);

/** Whether the request says that it happens at this contract. An address in a restriction ("but not on 0x…") says the opposite. */
export function namesContract({ proposal: { words }, intent }: World, contract: Address): boolean {
  const isForbidden = ([from, to]: Span): boolean =>
    intent.negations.some(({ span }) => from >= span[0] && to <= span[1]);
  const named = listAddresses(words).filter(({ address }) => address === contract);
  return (
    named.some(({ span }) => place.test(words.slice(0, span[0]))) &&
    named.every(({ span }) => !isForbidden(span))
  );
}

/** Returns the request with these places read. Only a payment keeps the contract as its recipient. */
export function readPlaces({ proposal: { words }, intent }: World, contract: Address): Intent {
  const addresses = listAddresses(words);
  const steps = intent.steps.map((step) => readStep(step, { words, addresses, contract }));
  return {
    ...intent,
    steps,
    // Stricter readings of the text know nothing of these places.
    others: [],
    ambiguities: intent.ambiguities.filter(
      ({ said }) => said !== severalRecipients || steps.some(({ to }) => to.length > 1),
    ),
  };
}

/** As the reader of the request calls it. An address that names a token is no recipient. */
const severalRecipients = "several recipients and one amount";

type Places = {
  readonly words: string;
  readonly addresses: readonly Found[];
  readonly contract: Address;
};

function readStep(step: Step, places: Places): Step {
  const isPayment = step.acts[0] === "transfer";
  const [gives, gets] = [step.gives, step.gets].map((portions) =>
    portions.map((portion) => namePortion(portion, places)),
  );
  const tokens = [...(gives ?? []), ...(gets ?? [])].flatMap(({ asset }) =>
    asset?.kind === "address" ? [asset] : [],
  );
  const isPlace = (party: PartyRef): boolean =>
    party.kind === "address" &&
    ((!isPayment && party.address === places.contract) ||
      tokens.some(({ address }) => address === party.address));
  return {
    ...step,
    gives: gives ?? [],
    gets: gets ?? [],
    to: step.to.filter((party) => !isPlace(party)),
    onBehalfOf: step.onBehalfOf !== null && isPlace(step.onBehalfOf) ? null : step.onBehalfOf,
  };
}

/** Between an amount and the token that it is of. */
const between = /^\s*(?:(?:shares?|tokens?|units?)\s+)?(?:of\s+|in\s+)?(?:the\s+)?(?:token\s+|vault\s+)?$/i;

/** "49 shares of 0x…" and "49 0x…": the address right after the amount is the token. */
function namePortion(portion: Portion, { words, addresses }: Places): Portion {
  const { asset, quantity } = portion;
  if (quantity === null || (asset !== null && asset.kind !== "class")) return portion;
  const after = addresses.find(({ span }) => span[0] >= quantity.span[1]);
  if (after === undefined || !between.test(words.slice(quantity.span[1], after.span[0]))) return portion;
  const named: AssetRef = { kind: "address", ...after };
  return { asset: named, quantity };
}
