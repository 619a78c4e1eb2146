// Writes the request for a scenario, always from the honest parameters. An attack changes the transaction, not this
// text.
import { CHAINS } from "../data/chains.ts";
import { must } from "../must.ts";
import type { Rng } from "../rng.ts";
import type { Params, Token } from "../types.ts";
import { MINUTES, OTHER, TAILS, type Lang } from "./languages.ts";
import { decimal, spell, symbolText } from "./numbers.ts";
import { DEFI } from "./phrases-defi.ts";
import { MOVE } from "./phrases-move.ts";
import { STEPS } from "./phrases-steps.ts";

const REASONS = [
  ". It's for rent",
  " as agreed",
  ", the invoice is overdue",
  ". They are waiting for it",
  " - birthday present",
  "",
  "",
];

/** A request may mention the approval that the next step needs, or leave it to the agent. */
const APPROVE_FIRST = [". Approve the exact amount first", ", approve only what is needed"];

export const ENGLISH: Record<string, readonly string[]> = { ...MOVE, ...DEFI, ...STEPS };

export function templateCount(): number {
  const all = [ENGLISH, ...Object.values(OTHER)];
  return all.flatMap((bank) => Object.values(bank)).reduce((n, list) => n + list.length, 0);
}

const addressText = (address: string, rng: Rng): string =>
  rng.chance(0.75) ? address : address.toLowerCase();

const COMMA: readonly string[] = ["es", "pt", "fr", "de"];

function giveText(p: Params, rng: Rng, lang: Lang): string {
  const token = must(p.give);
  const { style } = p.say;
  if (style === "plain") {
    const digits = lang !== "en" || p.say.digits === true;
    const number = spell(p.amount, token, rng, digits);
    // Half of the German and Portuguese requests use a decimal comma.
    const comma = COMMA.includes(lang) && !p.say.digits && rng.chance(0.5);
    return `${comma ? number.replace(".", ",") : number} ${symbolText(token, rng)}`;
  }
  const symbol = token.symbol;
  if (style === "usd") return rng.pick([`$${p.say.usd} of ${symbol}`, `$${p.say.usd} worth of ${symbol}`]);
  if (style === "half") return rng.pick([`half of my ${symbol}`, `half my ${symbol}`]);
  if (style === "percent")
    return rng.pick([
      `${p.say.percent}% of my ${symbol}`,
      `${p.say.percent} percent of my ${symbol} balance`,
    ]);
  return rng.pick([`all my ${symbol}`, `all of my ${symbol}`, `my entire ${symbol} balance`]);
}

function recipientText(p: Params, rng: Rng): string {
  if (p.say.recipient === "label" || p.say.recipient === "ens") return must(p.say.label);
  return addressText(p.recipient, rng);
}

function payeesText(p: Params, rng: Rng): string {
  const parts = p.payees.map(
    (x) => `${decimal(x.amount, must(p.give).decimals)} ${must(p.give).symbol} to ${addressText(x.to, rng)}`,
  );
  const last = must(parts.pop());
  return `${parts.join(", ")} and ${last}`;
}

function nftText(p: Params): string {
  const nft = must(p.nft);
  if (nft.standard === 1155) return `${nft.quantity} of ${nft.name} #${nft.id} (${nft.collection})`;
  return p.variant % 6 === 0 ? `${nft.name} #${nft.id}` : `${nft.name} #${nft.id} (${nft.collection})`;
}

function withAmount(amount: bigint, token: Token): string {
  return `${decimal(amount, token.decimals)} ${token.symbol}`;
}

type Slots = Record<string, string>;

const assetSlots = (p: Params, rng: Rng, lang: Lang): Slots => ({
  give: p.give && p.amount > 0n ? giveText(p, rng, lang) : "",
  giveSym: p.give?.symbol ?? "",
  get: p.get?.symbol ?? "",
  minOut: p.get ? withAmount(p.minOut, p.get) : "",
});

const partySlots = (p: Params, rng: Rng): Slots => ({
  to: recipientText(p, rng),
  spender: p.spenderName && rng.chance(0.6) ? p.spenderName : addressText(p.spender, rng),
  payees: p.payees.length > 0 ? payeesText(p, rng) : "",
  nft: p.nft ? nftText(p) : "",
  payee: p.split ? addressText(p.split.to, rng) : "",
  part: p.split && p.get ? withAmount(p.split.amount, p.get) : "",
  price: `${decimal(p.amount, 18)} ETH`,
});

function placeSlots(p: Params, rng: Rng, lang: Lang): Slots {
  const t = TAILS[lang];
  const chainName = (id: number): string => rng.pick(must(CHAINS[id]).names);
  const venue = p.venueName ?? "";
  return {
    venue,
    on: p.say.venue ? rng.pick(t.on).replace("{v}", venue) : "",
    chain: p.say.chain ? rng.pick(t.chain).replace("{c}", chainName(p.chain)) : "",
    src: chainName(p.chain),
    dst: chainName(p.dstChain),
    from: p.wrap === "safe" || p.wrap === "multisend" ? rng.pick(t.safe) : "",
    why: rng.pick(REASONS),
  };
}

function tail(p: Params, rng: Rng, lang: Lang): string {
  const t = TAILS[lang];
  let text = "";
  if (p.say.slippageBps !== undefined)
    text += rng.pick(t.slippage).replace("{n}", String(p.say.slippageBps / 100));
  if (p.say.minOut && p.action === "swap")
    text += rng.pick(t.minOut).replace("{m}", withAmount(p.minOut, must(p.get)));
  if (p.say.deadlineMinutes)
    text += rng.pick(t.deadline).replace("{d}", rng.pick(MINUTES[lang](p.say.deadlineMinutes)));
  if (p.say.noPartial) text += rng.pick(t.noPartial);
  if (p.say.noUnlimited) text += rng.pick(t.noUnlimited);
  if (p.withApproval && lang === "en" && p.variant % 4 === 0) text += rng.pick(APPROVE_FIRST);
  return text;
}

/** "1.546" means more than a thousand in half of these languages, so it would not be an honest test. */
function threeDigits(p: Params): boolean {
  const shown = [
    ...(p.give ? [decimal(p.amount, p.give.decimals)] : []),
    ...(p.get && p.say.minOut ? [decimal(p.minOut, p.get.decimals)] : []),
  ];
  return shown.some((text) => /\.\d{3}$/.test(text));
}

export function languagesFor(p: Params): Lang[] {
  const free = p.say.style === "plain" && (p.say.recipient === undefined || p.say.recipient === "address");
  if (!free || threeDigits(p)) return ["en"];
  const others = (Object.keys(OTHER) as Exclude<Lang, "en">[]).filter(
    (l) => OTHER[l][p.action] !== undefined,
  );
  return ["en", ...others];
}

export function templatesOf(p: Params, lang: Lang): readonly string[] {
  const bank = lang === "en" ? ENGLISH[p.action] : OTHER[lang][p.action];
  if (!bank) throw new Error(`no ${lang} phrases for ${p.action}`);
  const usable = bank.filter((text) => fits(text, p));
  return usable.length > 0 ? usable : bank;
}

/** A template may be used only if it states everything the case depends on. */
function fits(text: string, p: Params): boolean {
  if (p.say.chain && !text.includes("{chain}") && !text.includes("{src}")) return false;
  if (p.say.venue && !text.includes("{on}") && !text.includes("{venue}")) return false;
  return true;
}

/** Fills one template and tidies the punctuation where tails join. */
export function phrase(p: Params, rng: Rng, lang: Lang, template: string): string {
  // In this order, because each draws from the generator.
  const values = { ...assetSlots(p, rng, lang), ...partySlots(p, rng), ...placeSlots(p, rng, lang) };
  const body = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`no slot ${key}`);
    return value;
  });
  const end = tail(p, rng, lang);
  if (end === "") return body;
  return body.replace(/[.?!]$/, "") + end;
}

export function say(p: Params, rng: Rng): { text: string; lang: Lang } {
  const langs = languagesFor(p);
  const lang = langs.length > 1 && rng.chance(0.18) ? rng.pick(langs.slice(1)) : "en";
  return { text: phrase(p, rng, lang, rng.pick(templatesOf(p, lang))), lang };
}
