/**
 * Checks that every hard word of the request is answered: words that no slot took, things that must not happen, and
 * conditions that the transaction cannot hold.
 */
import { sameAsset, type Effect } from "../effects.ts";
import type { Comparison, Entailment } from "../entailment.ts";
import type { HardToken, Negation, Step } from "../intent.ts";
import { likeness, meant } from "./assets.ts";
import { unlimitedFrom } from "./compare-authority.ts";
import { usesUp } from "./needs.ts";
import { matchParty } from "./parties.ts";
import { poolFeeSpans, statedSpans } from "./stated.ts";
import { cannotTell, type World } from "./world.ts";

type Unmet = Entailment["unmet"][number];

const unanswered = (world: World): readonly HardToken[] =>
  world.intent.tokens.filter((token) => token.slot === null && !answered(token, world));

/** Returns terms that were read and are broken: a forbidden act happens, or a named address is not involved. */
export function brokenTerms(world: World): readonly Unmet[] {
  const said = (span: readonly [number, number]): string => world.proposal.words.slice(span[0], span[1]);
  return [
    ...unanswered(world)
      .filter(({ kind }) => kind === "address")
      .map(({ text, span }) => ({ text, span, why: "the transaction does not involve this address" })),
    ...world.intent.negations.flatMap((negation) => {
      const why = broken(negation, world);
      return why === null ? [] : [{ text: said(negation.span), span: negation.span, why }];
    }),
  ];
}

/** Returns parts of the request that no slot took and that the transaction does not explain either. */
export const unreadWords = (world: World): readonly Unmet[] => [
  ...unanswered(world)
    .filter(({ kind }) => kind !== "address")
    .map(({ text, span }) => ({ text, span, why: "we could not tell what this refers to" })),
  ...unseenPoolFees(world),
  ...unknownSigning(world),
  ...world.intent.negations
    .filter(({ kind }) => kind === "unchecked")
    .map(({ span }) => ({
      text: world.proposal.words.slice(...span),
      span,
      why: "we cannot check this restriction",
    })),
];

/** A pool fee is compared with the pools that the transaction picks. If it shows none with a fee, nothing can be compared. */
function unseenPoolFees({ proposal, reading }: World): readonly Unmet[] {
  const isShown = reading.effects.some(({ choices }) =>
    choices.some(({ what, value }) => what === "pool" && value.includes("% fee")),
  );
  if (isShown) return [];
  return poolFeeSpans(proposal.words).map((span) => ({
    text: proposal.words.slice(...span),
    span,
    why: "the transaction does not show a pool fee",
  }));
}

/** A text is signed only if the request is nothing else than that, so a request without a known act may ask for it in other words. */
function unknownSigning({ proposal, intent, reading }: World): readonly Unmet[] {
  const isSigned = reading.effects.some(({ act }) => act === "sign" || act === "sign_in");
  if (!isSigned || intent.steps.length > 0) return [];
  const { words: text } = proposal;
  const why =
    "a text is signed only for “Sign the message “…”” or “Sign in to example.com”, and nothing else";
  return [{ text, span: [0, text.length], why }];
}

/** Returns conditions that the transaction cannot hold: whether they are met now is not known. */
export const openConditions = (world: World): readonly Comparison[] =>
  world.intent.steps.flatMap((step) =>
    conditionsOf(step, world).map(({ said, span }) =>
      cannotTell({
        slot: "terms",
        asked: `“${said}”`,
        does: "acts as soon as it is sent",
        words: span,
        where: null,
        confidence: 1,
        fix: "Remove the condition from the request once it is met.",
      }),
    ),
  );

/** A word that no slot took may still be true of the transaction: the token's own address, the venue, the chain. */
const answered = (token: HardToken, world: World): boolean =>
  answers[token.kind](token.text.toLowerCase(), world) || namesChoice(token, world);

const isWithin = ([from, to]: HardToken["span"], [start, end]: HardToken["span"]): boolean =>
  from >= start && to <= end;

/** An id, an address or a name of something that the caller of the contract chose. */
const namesChoice = ({ span }: HardToken, world: World): boolean =>
  statedSpans(world).some((named) => isWithin(span, named));

const never = (): boolean => false;
const always = (): boolean => true;

const answers: Readonly<Record<HardToken["kind"], (text: string, world: World) => boolean>> = {
  address: (text, { proposal, reading }) =>
    text === proposal.actor || reading.effects.some((effect) => touches(effect, text)),
  asset: (text, world) =>
    meant(text, world).some((asset) =>
      world.reading.effects.some((effect) =>
        [...effect.gives, ...effect.gets].some((flow) => sameAsset(flow.asset, asset)),
      ),
    ),
  venue: (text, world) =>
    world.reading.effects.some(
      (effect) => effect.venue !== null && world.protocols.satisfies(text, effect.venue),
    ),
  chain: (text, world) => {
    const named = world.registry.chainNamed(text)?.id;
    return (
      named === world.proposal.chain.id || world.reading.effects.some((effect) => effect.toChain === named)
    );
  },
  verb: always,
  bound: always,
  number: never,
  name: never,
  time: never,
  negation: never,
  condition: never,
};

const touches = (effect: Effect, address: string): boolean =>
  effect.target === address ||
  effect.receiver === address ||
  effect.authority?.spender === address ||
  effect.admin?.listed === address ||
  effect.choices.some(({ value }) => value === address) ||
  [...effect.gives, ...effect.gets].some(
    ({ asset }) => (asset.kind === "token" || asset.kind === "nft") && asset.address === address,
  );

/** Returns why a forbidden act does happen, or null. */
const broken = (negation: Negation, world: World): string | null => breaches[negation.kind](negation, world);

const anyEffect = (world: World, test: (effect: Effect) => boolean, why: string): string | null =>
  world.reading.effects.some(test) ? why : null;

const breaches: Readonly<Record<Negation["kind"], (negation: Negation, world: World) => string | null>> = {
  unlimited_approval: (_, world) =>
    anyEffect(
      world,
      ({ authority }) => authority !== null && authority.amount.most >= unlimitedFrom,
      "an unlimited allowance is given",
    ),
  approval: (_, world) => approvalGiven(world),
  venue: ({ venue }, world) =>
    anyEffect(
      world,
      (effect) =>
        effect.venue !== null && venue !== undefined && world.protocols.satisfies(venue, effect.venue),
      "it goes through that venue",
    ),
  act: ({ acts }, world) =>
    anyEffect(world, (effect) => acts?.some((act) => act === effect.act) === true, "it does exactly that"),
  asset: assetTouched,
  party: (negation, world) =>
    anyEffect(world, (effect) => partyTouched(effect, negation, world), "it goes to that party"),
  partial_fill: (_, world) =>
    anyEffect(world, ({ terms }) => terms.partial === true, "the order may be filled in part"),
  fee: (_, world) => anyEffect(world, ({ fees }) => fees.length > 0, "a fee is paid"),
  chain: chainUsed,
  other: () => null,
  unchecked: () => null,
};

/** In a request to approve, "no allowance" means that no allowance is left at the end. */
function approvalGiven(world: World): string | null {
  const asked = world.intent.steps.some(({ acts }) => acts[0] === "approve");
  const given = world.reading.effects.filter(({ act }) => act === "approve");
  const left = given.some(({ authority }) => authority === null || !usesUp(authority, world));
  if (asked) return left ? "an allowance is left" : null;
  return given.length > 0 ? "an allowance is given" : null;
}

function chainUsed({ chain }: Negation, { proposal, reading, registry }: World): string | null {
  const id = chain === undefined ? undefined : registry.chainNamed(chain)?.id;
  if (id === undefined) return null;
  const used = id === proposal.chain.id || reading.effects.some(({ toChain }) => toChain === id);
  return used ? "it happens on that chain" : null;
}

function assetTouched(negation: Negation, world: World): string | null {
  const { asset } = negation;
  if (asset === undefined) return null;
  const is = (effect: Effect): boolean =>
    effect.gives.some((flow) => {
      const found = likeness(flow.asset, asset, world, false);
      return found !== "unknown" && found > 0;
    });
  return world.reading.effects.some(is) ? "that asset leaves your wallet" : null;
}

const partyTouched = (effect: Effect, { party }: Negation, world: World): boolean =>
  party !== undefined &&
  effect.act !== "revoke" &&
  [effect.receiver, effect.authority?.spender ?? null].some(
    (one) => one !== null && matchParty(one, party, world).outcome === "same",
  );

/** "When ETH is above 3000": a transaction that acts at once cannot wait, unless the calldata holds the condition. */
function conditionsOf(step: Step, world: World): Step["conditions"] {
  const carried = (kind: Step["conditions"][number]["kind"]): boolean => {
    if (kind === "gas") return step.gas !== null;
    if (kind === "time") return step.deadline !== null;
    return (
      kind === "price" &&
      step.limitPrice !== null &&
      world.reading.effects.some(
        (effect) => effect.act === "swap" && effect.gets.some(({ amount }) => amount.least > 1n),
      )
    );
  };
  return step.conditions.filter(({ kind }) => !carried(kind));
}
