/** Wishes next to a request: "I need WETH: wrap 1 ETH", "sell 1 ETH, I want USDC back". One request in two sentences. */
import type { Portion } from "../intent.ts";
import type { Made } from "./assemble.ts";
import { sameAsset, type Draft } from "./drafts.ts";

export const isWish = ({ group }: Made): boolean => group.verb?.mark?.flags.includes("want") === true;
const isTaking = ({ group, drafts }: Made): boolean =>
  /^(?:take|taking)$/.test(group.verb?.low ?? "") &&
  drafts.every((one) => one.venues.length === 0 && one.from === null);

const adds = (into: Draft, from: Draft): void => {
  into.venues = [...into.venues, ...from.venues];
  into.to = [...into.to, ...from.to];
  into.spender ??= from.spender;
  into.from ??= from.from;
  if (from.chain !== null && from.chain.value !== into.chain?.value) {
    if (into.acts[0] === "bridge") into.toChain ??= from.chain;
    else into.chain ??= from.chain;
  }
  into.toChain ??= from.toChain;
};

const wished = (draft: Draft): Portion[] => [...draft.gets, ...draft.gives];

const sharpened = (list: readonly Portion[], portion: Portion): Portion[] | null => {
  const at = list.findIndex((one) => sameAsset(one.asset, portion.asset));
  const found = list[at];
  if (found === undefined || (found.quantity !== null && portion.quantity !== null)) return null;
  return list.with(at, { asset: found.asset, quantity: found.quantity ?? portion.quantity });
};

/** Whether what was wished for found its place in the step. */
const grant = (step: Draft, wish: Draft, pronoun: boolean): boolean => {
  const [portion] = wished(wish);
  if (portion === undefined) return false;
  const bare = step.gives.length === 0 && step.gets.length === 0;
  const again = sharpened(step.gets, portion) ?? null;
  if (again !== null) step.gets = again;
  else if (bare && (pronoun || step.acts[0] !== "swap") && !step.buys) step.gives = wished(wish);
  else if (step.gets.length === 0 && step.acts[0] !== "transfer" && step.acts[0] !== "approve")
    step.gets = wished(wish);
  else return false;
  return true;
};

const RECEIVES_LATER = new Set<string | undefined>([
  "swap",
  "wrap",
  "unwrap",
  "unstake",
  "withdraw",
  "remove_liquidity",
]);

const wishAfter = (a: Draft, b: Draft): boolean => {
  if (!RECEIVES_LATER.has(a.acts[0]) || b.gets.length === 0) return false;
  if (!grant(a, b, false)) return false;
  adds(a, b);
  return true;
};

/** Folds a wish into the step next to it; the step then has the place of the first. */
export const foldWish = (before: Made, next: Made): boolean => {
  const [a, b] = [before.drafts.at(-1), next.drafts[0]];
  if (a === undefined || b === undefined) return false;
  if (isWish(next) && !isWish(before)) return wishAfter(a, b);
  const first = (isWish(before) && !isWish(next)) || (isTaking(before) && next.pronoun);
  if (!first || before.drafts.length !== 1 || !grant(b, a, next.pronoun)) return false;
  adds(b, a);
  before.drafts.splice(0, 1, ...next.drafts);
  return true;
};

const isFull = (draft: Draft): boolean => draft.gives.length > 0 || draft.gets.length > 0;
const isVague = (draft: Draft): boolean => draft.to.every((party) => party.kind === "contact");

/** "Upgrade my account with EIP-7702, delegate to 0xabc": the second half names whose code it is. */
const foldCode = (a: Draft, b: Draft): boolean => {
  const [party] = [
    ...b.to,
    ...(b.admin?.party === undefined || b.admin.party === null ? [] : [b.admin.party]),
  ];
  const delegates = b.acts[0] === "delegate" || b.admin?.kind === "delegate_code";
  if (a.admin?.kind !== "delegate_code" || a.admin.party !== null || party === undefined || !delegates)
    return false;
  a.admin = { ...a.admin, party };
  a.chain ??= b.chain;
  return true;
};

/** "I'm gifting it to a friend, send it to 0xabc", "let her represent me, delegate to her": said once more, more exactly. */
export const foldAgain = (before: Made, next: Made): boolean => {
  const [a, b] = [before.drafts.at(-1), next.drafts[0]];
  if (a === undefined || b === undefined || next.drafts.length !== 1) return false;
  if (next.group.joined) return false;
  if (foldCode(a, b)) return true;
  if (a.acts[0] !== b.acts[0] || isFull(b) || !next.pronoun) return false;
  if (b.to.length > 0) {
    if (!isVague(a)) return false;
    a.to = b.to;
  }
  a.venues = [...a.venues, ...b.venues];
  a.chain ??= b.chain;
  return true;
};
