/**
 * Shorthand of people who trade and keep books: numbered rounds and deals, names of pools by their shares, "minOut", "now+20m",
 * "partially fillable: no", a headline before the request. Rewritten into what the grammar reads; nothing of weight is dropped.
 */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

const actsOf = (item: Item): readonly string[] => (item.k === "verb" ? (item.mark?.acts ?? []) : []);

const COUNTABLE = kinds("asset,scale,fiat,class,collection,unit,percent,venue,chain");
const NUMBERED =
  /^(?:rounds?|trade|deal|epoch|tranche|sprint|season|series|ronda|rodada|runde|tour|operacion|operacao)$/;

/** Nothing is counted by a number before this. */
const closes = (item: Item): boolean =>
  isOne(item, kinds("end,stop,line")) || (item.k === "punct" && !/^[/.%*]$/.test(item.v));

/** "Grant round 6", "OTC trade 88": which one, where nothing behind the number is counted by it. */
const numbered = (items: Item[], at: number): void => {
  const [noun, number] = [itemAt(items, at), itemAt(items, at + 1)];
  if (!NUMBERED.test(noun.low) || !closes(itemAt(items, at + 2))) return;
  // A verb at the head of a sentence is what should be done: "trade 88".
  if ((noun.k === "verb" && noun.first) || number.k !== "num" || number.read?.plain !== true) return;
  asNote(items, at);
  asNote(items, at + 1);
};

const OF_NOW = /^(?:this|last|past|previous|the last|the past|current)$/;

/** "this quarter": a length of time, and no fourth of anything. */
const quarter = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const period = item.low === "quarter" && (item.k === "num" || item.k === "share");
  const money = isOne(items[at + 1], COUNTABLE) || isPrep(itemAt(items, at + 1), /^of$/);
  if (period && !money && OF_NOW.test(itemAt(items, at - 1).low)) asNote(items, at);
};

/** "the 80/20 pool": what the pool is made of. */
const weights = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const shares = item.k === "num" && /^[1-9][0-9]?\/[1-9][0-9]?$/.test(item.text);
  if (shares && /^(?:weighted )?pools?$/.test(itemAt(items, at + 1).low)) asNote(items, at);
};

const LEAST =
  /^(?:minout|min out|amountoutmin|amountoutminimum|minamountout|minreceived|minimumout|minreturn|floor of|floor)$/;
const MOST = /^(?:maxin|max in|amountinmax|amountinmaximum|maxamountin|maxspend|maximumin)$/;

/** "minOut 0.945 WETH": the bound a router knows by that name. */
const routerBound = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const v = LEAST.test(item.low) ? "least" : MOST.test(item.low) ? "most" : null;
  if (v === null || item.k === "bound") return;
  const gap = /^[:=]$/.test(itemAt(items, at + 1).v) ? 1 : 0;
  if (itemAt(items, at + 1 + gap).k !== "num") return;
  items[at] = { ...item, k: "bound", v, mark: null, symbol: null };
  if (gap === 1) asNote(items, at + 1);
};

/** "deadline now+20m": counted from now, like every length of time. */
const fromNow = (items: Item[], at: number): void => {
  const [now, plus, number] = [0, 1, 2].map((step) => itemAt(items, at + step));
  if (now?.low !== "now" || plus?.low !== "+" || number?.k !== "num" || itemAt(items, at - 1).k !== "within")
    return;
  items.splice(at, 2);
};

const DENIES = /^(?:no|false|nein|nao|non|falso|faux|falsch|否)$/;

/** "partially fillable: no". */
const deniedField = (items: Item[], at: number): void => {
  const [field, mark, value] = [0, 1, 2].map((step) => itemAt(items, at + step));
  if (field?.k !== "partial" || mark === undefined || value === undefined || !/^[:=]$/.test(mark.v)) return;
  const after = itemAt(items, at + 3);
  const closed = after.k === "end" || after.k === "line" || after.k === "stop" || /^[,;}]$/.test(after.v);
  if (!DENIES.test(value.low) || !closed) return;
  items.splice(at, 3, { ...value, k: "neg", v: "", mark: null, symbol: null }, field);
};

/** `"validForSeconds": 300`: the unit stands in the name of the field. */
const seconds = (items: Item[], at: number): void => {
  const [key, number, after] = [0, 1, 2].map((step) => itemAt(items, at + step));
  if (key?.k !== "key" || key.v !== "deadline" || !/seconds\b/.test(key.low)) return;
  if (number?.k !== "num" || after?.k === "unit") return;
  const unit: Item = {
    ...number,
    k: "unit",
    v: "1",
    text: "",
    low: "seconds",
    start: number.end,
    read: null,
  };
  items.splice(at + 2, 0, unit);
};

const HOLDS = /^(?:wallet|account|address|multisig|safe|team|hot wallet|cold wallet)$/;

/** "to the desk wallet 0x…": whose it is, whatever token bears the name. */
const deskOf = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const coin = item.k === "asset" || item.symbol !== null || item.k === "word";
  if (!coin || !/^\p{Ll}+$/u.test(item.text)) return;
  const lead = itemAt(items, at - 1).k === "noise" ? at - 2 : at - 1;
  const held = HOLDS.test(itemAt(items, at + 1).low) && itemAt(items, at + 2).k === "addr";
  if (held && isPrep(itemAt(items, lead), /^to$/)) asNote(items, at);
};

const OF = /^(?:de|del|do|da|du|von|of)$/;

/** "a la profesora de inglés: 0x…": what she teaches, and then her address. */
const teaches = (items: Item[], at: number): void => {
  const [of, what, mark, address] = [0, 1, 2, 3].map((step) => itemAt(items, at + step));
  if (of?.k !== "prep" || !OF.test(of.low) || what?.k !== "word" || mark?.v !== ":") return;
  if (address?.k !== "addr" || !/^\p{Ll}+$/u.test(what.text) || itemAt(items, at - 1).k === "addr") return;
  asNote(items, at);
  asNote(items, at + 1);
};

const WILLING = /^(?:willing|happy|prepared|ready|glad|okay|ok)$/;

/** "I'm willing to spend up to 0.1 WETH for it": a cost limit, not a permission. */
const willing = (items: Item[], at: number): void => {
  const verb = itemAt(items, at);
  const next = itemAt(items, at + 1);
  const limited = next.k === "bound" && next.v === "most";
  // "happy to pay 45 USDC to Ann" is a payment.
  const spends = /^(?:to )?spend$/.test(verb.low) && (limited || next.k === "num");
  if (verb.k !== "verb" || !(spends || (/^(?:to )?pay$/.test(verb.low) && limited))) return;
  if (!WILLING.test(itemAt(items, at - 1).low)) return;
  items[at] = { ...verb, k: "prep", v: "with", low: "with", mark: null };
  asNote(items, at - 1);
};

const ACCEPTS =
  /^(?:accept|take|tolerate|settle for|want|receive|get|spend|pay|allow|acceptable|i'd|i|i'll|we'd|we|will|would|can|to|is|are|of)$/;
const BOUND_GAP = 6;

/** "The minimum I'd accept is 1,235 USDC": the bound and its number, with only the speaker between them. */
const accepted = (items: Item[], at: number): void => {
  const bound = itemAt(items, at);
  if (bound.k !== "bound" || !/^(?:least|most)$/.test(bound.v) || itemAt(items, at + 1).k === "num") return;
  let end = at + 1;
  while (end < at + BOUND_GAP && ACCEPTS.test(itemAt(items, end).low) && itemAt(items, end).k !== "num")
    end += 1;
  const cue = bound.v === "least" ? /^(?:accept|take|tolerate|acceptable)$/ : /^(?:pay|spend)$/;
  const told = items.slice(at + 1, end).some(({ low }) => cue.test(low));
  if (told && itemAt(items, end).k === "num") items.splice(at + 1, end - at - 1);
};

const ACCOUNTS = /^(?:(?:gnosis )?safe|multi-?sig|treasury)$/;

/** "paid by Safe 0x…", "From the Safe at 0x…": whose money it is. */
const paidBy = (items: Item[], at: number): void => {
  const noun = itemAt(items, at);
  if (!ACCOUNTS.test(noun.low) || noun.k === "verb" || noun.k === "key") return;
  const lead = isOne(items[at - 1], kinds("noise,my")) ? at - 2 : at - 1;
  const [before, next] = [itemAt(items, lead), itemAt(items, at + 1)];
  if (next.k === "prep" && next.low === "at" && itemAt(items, at + 2).k === "addr") items.splice(at + 1, 1);
  if (before.low === "by" && itemAt(items, at + 1).k === "addr")
    items[lead] = { ...before, k: "prep", v: "from", low: "from", mark: null };
};

const OWN = /(?:account|wallet|safe)$/;

/** "My smart account 0x… should run two calls", "from my smart account 0x…:": oneself as who acts, with one's address. */
const ownAddress = (items: Item[], at: number): void => {
  const [self, next] = [itemAt(items, at), itemAt(items, at + 2)];
  if (itemAt(items, at + 1).k !== "addr" || !OWN.test(self.low)) return;
  const heads = self.k === "self" && self.first && (next.k === "noise" || next.k === "verb");
  if (heads || (self.k === "noise" && self.low.startsWith("from my ")))
    items[at] = { ...self, k: "prep", v: "from", low: "from", mark: null };
};

const NAMED_MAX = 60;

/** cUSDC is Compound's for USDC, aUSDC Aave's: only where the venue is named too, for the bytes do not say what comes. */
const isReceipt = (items: readonly Item[], what: string, asset: string): boolean => {
  const house = what === `c${asset}` ? /^compound/ : what === `a${asset}` ? /^aave/ : null;
  return house !== null && items.slice(0, NAMED_MAX).some(({ k, v }) => k === "venue" && house.test(v));
};

/** The word, then a verb of lending, a number and an asset. */
const suppliesAt = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).low === "by" &&
  itemAt(items, at + 1).mark?.acts[0] === "supply" &&
  itemAt(items, at + 2).k === "num" &&
  itemAt(items, at + 3).k === "asset";

/** "mint cUSDC by supplying 5,000 USDC": what is done, and what comes of it. */
const mintedBy = (items: Item[], at: number): void => {
  const [mint, what, by, verb] = [
    itemAt(items, at),
    itemAt(items, at + 1),
    itemAt(items, at + 2),
    itemAt(items, at + 3),
  ];
  if (mint.mark?.acts[0] !== "mint" || !suppliesAt(items, at + 2)) return;
  const [number, asset] = [itemAt(items, at + 4), itemAt(items, at + 5)];
  if (!isReceipt(items, what.low, asset.low)) return;
  const into: Item = { ...by, k: "prep", v: "for", low: "for", mark: null };
  items.splice(at, 6, { ...verb, first: mint.first }, number, asset, into, what);
};

const COLLECTIBLES = /^(?:721|1155)$/;

/** "ERC-1155 transfer: contract 0x…, id 17": where the pieces are kept. */
const keptAt = (items: Item[], at: number): void => {
  if (!/^(?:contract|collection|contract address)$/.test(itemAt(items, at).low)) return;
  if (itemAt(items, at + 1).k !== "addr" || itemAt(items, at).k === "key") return;
  items[at] = { ...itemAt(items, at), k: "key", v: "nft", mark: null, symbol: null, slot: "note" };
};

const isVaultField = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).low === "vault" &&
  itemAt(items, at).k !== "key" &&
  itemAt(items, at + 1).k === "asset" &&
  itemAt(items, at + 2).v === "," &&
  /^[:,]$/.test(itemAt(items, at - 1).v);

/** "vault sUSDS, assets 10,000 USDS": fields without a colon, of a vault one takes from or puts into. */
const vaultField = (items: Item[], at: number, act: string | undefined): void => {
  if ((act !== "withdraw" && act !== "supply") || !isVaultField(items, at)) return;
  const v = act === "withdraw" ? "from" : "into";
  items[at] = { ...itemAt(items, at), k: "prep", v, low: v, symbol: null, mark: null };
  const assets = at + 3;
  if (/^(?:assets|shares)$/.test(itemAt(items, assets).low) && itemAt(items, assets + 1).k === "num")
    asNote(items, assets);
};

const SOFT = kinds("noise,my,word,class,asset,prep");
const HEAD_MAX = 8;

/** "Fund the L2 deployer: deposit 2 ETH to …": a headline of paying, and behind the colon the request itself. */
const headline = (items: Item[]): void => {
  const verb = itemAt(items, 0);
  if (actsOf(verb)[0] !== "transfer") return;
  let end = 1;
  while (end < HEAD_MAX && isOne(items[end], SOFT)) end += 1;
  const [mark, next] = [itemAt(items, end), itemAt(items, end + 1)];
  if (mark.v !== ":" || end < 2 || actsOf(next).length === 0) return;
  if (next.mark?.flags.some((flag) => /^(?:gets|want|receives)$/.test(flag)) === true) return;
  for (let at = 0; at <= end; at += 1) asNote(items, at);
};

export const takeJottings = (items: Item[]): void => {
  const act = items.find((item) => actsOf(item).length > 0)?.mark?.acts[0];
  const pieces = items.some(({ low, text }) => COLLECTIBLES.test(text) || /^erc(?:721|1155)$/.test(low));
  for (let at = 0; at < items.length; at += 1) {
    numbered(items, at);
    quarter(items, at);
    weights(items, at);
    routerBound(items, at);
    fromNow(items, at);
    deniedField(items, at);
    seconds(items, at);
    deskOf(items, at);
    teaches(items, at);
    willing(items, at);
    accepted(items, at);
    paidBy(items, at);
    ownAddress(items, at);
    mintedBy(items, at);
    if (pieces) keptAt(items, at);
    vaultField(items, at, act);
  }
  headline(items);
};
