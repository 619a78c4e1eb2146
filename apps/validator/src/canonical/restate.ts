/** Restates a request as it was read, in the patterns of the canonical requests. */
import type { AssetRef, Intent, PartyRef, Portion, Quantity, Step } from "../intent.ts";
import type { Registry } from "../registry.ts";
import { fill } from "./fill.ts";
import { patterns, type Slot, type Terms } from "./patterns.ts";
import { joinAnd, writeDecimal, writeInstant, writeUnits, writeVenue, type Venues } from "./phrases.ts";

export type RestateGround = { readonly registry: Registry; readonly protocols: Venues };

/** One sentence for each step. A part that the pattern needs and the request does not give is shown as not stated. */
export const restate = ({ steps }: Pick<Intent, "steps">, ground: RestateGround): string =>
  steps.map((step) => restateStep(step, ground)).join(" ");

function restateStep(step: Step, ground: RestateGround): string {
  const act = step.admin === null ? step.acts[0] : `admin.${step.admin.kind}`;
  const pattern = act === undefined ? undefined : patterns.get(act);
  const terms = termsOf(step, ground);
  if (pattern === undefined) return `${capital(step.admin?.kind ?? step.verb.word)}: ${listTerms(terms)}.`;
  return fillLoosely(pattern, terms);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

const listTerms = (terms: Terms): string => Object.values(terms).join(", ") || "nothing stated";

/** Slots that a request may state and an intent does not hold: they are compared with the text itself. */
const unheld: Terms = {
  vote: "",
  proposal: "on a proposal",
  choices: "an order",
  role: "a role",
  contract: "",
};

/** Terms without a place in the pattern follow in brackets. */
function fillLoosely(pattern: string, terms: Terms): string {
  const filled = fill(pattern, terms);
  if ("sentence" in filled) return filled.sentence;
  const absent = Object.fromEntries(filled.missing.map((slot) => [slot, unheld[slot] ?? "(not stated)"]));
  const placed = Object.entries(terms).filter(([slot]) => !filled.unplaced.includes(slot as Slot));
  const again = fill(pattern, { ...Object.fromEntries(placed), ...absent });
  const rest = filled.unplaced.flatMap((slot) => terms[slot] ?? []);
  const sentence = ("sentence" in again ? again.sentence : pattern).replaceAll(/ {2,}/g, " ");
  return rest.length === 0 ? sentence : `${sentence.slice(0, -1)} (${rest.join(", ")}).`;
}

type Found = Readonly<Partial<Record<Slot, string | null | undefined>>>;

const given = (terms: Found): Terms =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value != null && value !== ""));

function termsOf(step: Step, { registry, protocols }: RestateGround): Terms {
  const on = step.venues.find(({ mode }) => mode === "on");
  const here = step.chain?.value ?? null;
  const there = step.toChain?.value ?? here;
  return given({
    gives: joinAnd(step.gives.map((portion) => writePortion(portion, here, registry))),
    gets: joinAnd(step.gets.map((portion) => writePortion(portion, there, registry))),
    venue: on === undefined ? null : (writeVenue(on.venue, protocols) ?? on.venue),
    fee: step.fee?.bps == null ? null : `${writeUnits(step.fee.bps, 2)}%`,
    chain: writeChain(here, registry),
    toChain: step.toChain === null ? null : writeChain(there, registry),
    fills: step.partialFill === null ? null : `${step.partialFill.value ? "with" : "without"} partial fills`,
    ...partiesOf(step),
    ...timesOf(step),
    ...signingOf(step),
  });
}

function signingOf({ signing }: Step): Found {
  if (signing === undefined) return {};
  return "message" in signing ? { message: signing.message } : { site: signing.site };
}

const writeChain = (id: number | null, registry: Registry): string | null =>
  id === null ? null : (registry.chain(id)?.name ?? `chain ${id}`);

function partiesOf({ acts, admin, from, to, onBehalfOf, spender }: Step): Found {
  const isDelegation = acts[0] === "delegate";
  const parties = joinAnd([...to, ...(onBehalfOf === null ? [] : [onBehalfOf])].map(writePartyRef));
  const source = from === null ? null : writePartyRef(from);
  if (admin === null)
    return {
      payer: source,
      to: isDelegation ? null : parties,
      party: isDelegation ? parties : null,
      spender: spender === null ? null : writePartyRef(spender),
    };
  return {
    contract: source,
    party: admin.party === null ? parties : writePartyRef(admin.party),
    replaced: admin.replaced == null ? null : writePartyRef(admin.replaced),
    threshold: admin.threshold == null ? null : String(admin.threshold.value),
  };
}

function timesOf({ acts, deadline }: Step): Found {
  if (deadline === null) return {};
  const text =
    deadline.kind === "until" ? writeInstant(deadline.unix) : `${deadline.seconds} seconds from now`;
  return acts[0] === "approve" ? { until: text } : { deadline: text };
}

const writePartyRef = (party: PartyRef): string => {
  switch (party.kind) {
    case "address":
      return party.called === undefined ? party.address : `${party.called} (${party.address})`;
    case "name":
      return party.name;
    case "contact":
      return party.label;
    case "venue":
      return party.venue;
    case "self":
      return "my wallet";
  }
};

function writePortion({ asset, quantity }: Portion, chain: number | null, registry: Registry): string {
  const name = asset === null ? "an unnamed asset" : writeAssetRef(asset, chain, registry);
  if (quantity === null) return name;
  return writeQuantity(quantity, asset?.kind === "address" ? `of ${name}` : name, name);
}

function writeAssetRef(asset: AssetRef, chain: number | null, registry: Registry): string {
  switch (asset.kind) {
    case "symbol":
      return chain === null ? asset.symbol : (registry.named(chain, asset.symbol)[0]?.symbol ?? asset.symbol);
    case "address":
      return `token ${asset.address}`;
    case "class":
      return asset.name;
    case "nft": {
      const ids = asset.ids.map((id) => `#${id}`).join(", ");
      return [
        "NFT",
        ...(ids === "" ? [] : [ids]),
        ...(asset.collection === null ? [] : [`of collection ${asset.collection}`]),
      ].join(" ");
    }
  }
}

/** `counted`: the asset as it follows a number. */
function writeQuantity(quantity: Quantity, counted: string, name: string): string {
  // A row is looked up by its own kind, which the compiler cannot see.
  const write: (quantity: never, counted: string, name: string) => string = quantityTexts[quantity.kind];
  return write(quantity as never, counted, name);
}

type Of<K extends Quantity["kind"]> = Extract<Quantity, { readonly kind: K }>;
type QuantityTexts = {
  readonly [K in Quantity["kind"]]: (quantity: Of<K>, counted: string, name: string) => string;
};

const quantityTexts: QuantityTexts = {
  exact: ({ n }, counted) => `${writeDecimal(n)} ${counted}`,
  about: ({ n }, counted) => `about ${writeDecimal(n)} ${counted}`,
  most: ({ n }, counted) => `at most ${writeDecimal(n)} ${counted}`,
  least: ({ n }, counted) => `at least ${writeDecimal(n)} ${counted}`,
  range: ({ least, most }, counted) => `between ${writeDecimal(least)} and ${writeDecimal(most)} ${counted}`,
  share: ({ bps }, _, name) => `${writeUnits(bps, 2)}% of my ${name}`,
  all: ({ except }, _, name) =>
    except === null ? `all ${name}` : `all ${name} except ${writeDecimal(except)}`,
  fiat: ({ n, currency }, _, name) => `${writeDecimal(n)} ${currency} of ${name}`,
  raw: ({ n }, _, name) => `${n} base units of ${name}`,
  unlimited: (_, __, name) => `an unlimited amount of ${name}`,
  vague: ({ said }, counted) => `“${said}” ${counted}`,
};
