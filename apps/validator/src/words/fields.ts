/** Things written down rather than said: nested fields, numbers of pieces, counts of payments, prices behind "@". */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { COUNT_REACH, numbersIn } from "./tallies.ts";

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

const SIDES = /^(?:gives|gets)$/;
const NESTED_MAX = 24;

/** `"sell": {"token": "USDC", "amount": "1000"}`: what stands in the braces is about that side. */
const nested = (items: Item[], at: number): void => {
  const side = itemAt(items, at);
  if (side.k !== "key" || !SIDES.test(side.v) || itemAt(items, at + 1).v !== "{") return;
  for (let next = at + 2; next < at + NESTED_MAX; next += 1) {
    const item = itemAt(items, next);
    if (item.v === "}" || item.k === "end") return;
    if (item.k === "key" && /^(?:token|amount|nft)$/.test(item.v)) items[next] = { ...item, v: side.v };
  }
};

const PIECES = /^(?:n|nº|n°|no|nr|num|nro|numero|nummer|№)$/;
const OWNERS = kinds("collection,word,class,asset");

/** "Azuki n° 3657", "Milady no. 12": which piece of a collection. */
const piece = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (!PIECES.test(item.low) || !isOne(items[at - 1], OWNERS)) return;
  const dot = /^[°º.:]$/.test(itemAt(items, at + 1).v) ? 1 : 0;
  const number = itemAt(items, at + 1 + dot);
  const sure = dot === 1 || item.low !== "no" || itemAt(items, at - 1).k === "collection";
  if (!sure || number.k !== "num" || itemAt(items, at + 2 + dot).k === "asset") return;
  items[at] = { ...item, k: "nftid", v: "", mark: null, symbol: null };
  if (dot === 1) items.splice(at + 1, 1);
};

const HOLDS = kinds("collection,asset");

/** "BAYC token 7090": which piece, where nothing behind the number is counted by it. */
const tokenNumber = (items: Item[], at: number): void => {
  const [name, noun, number] = [itemAt(items, at - 1), itemAt(items, at), itemAt(items, at + 1)];
  if (!/^(?:token|nft)$/.test(noun.low) || !isOne(name, HOLDS) || number.k !== "num") return;
  if (number.read?.plain !== true || isOne(items[at + 2], COUNTABLE)) return;
  items[at] = { ...noun, k: "nftid", v: "", mark: null, symbol: null };
};

const NUMBERED = /^(?:721|1155)$/;
const KEEPS = /^(?:contract|collection|token|tokens|nft|at|:|address|on|in)$/;

/** Where the name of a standard ends that begins here: "ERC-1155", "ERC 721", "ERC1155"; or `at`. */
const standardEnd = (items: readonly Item[], at: number): number => {
  const { low } = itemAt(items, at);
  if (/^erc(?:721|1155)$/.test(low)) return at + 1;
  if (low !== "erc") return at;
  if (NUMBERED.test(itemAt(items, at + 1).text)) return at + 2;
  return itemAt(items, at + 1).v === "-" && NUMBERED.test(itemAt(items, at + 2).text) ? at + 3 : at;
};

/** "ERC-1155 contract 0x…", "ERC721 at 0x…": where the pieces are kept. */
const standard = (items: Item[], at: number): void => {
  const told = standardEnd(items, at);
  if (told === at) return;
  let next = told;
  while (next < told + 4 && KEEPS.test(itemAt(items, next).low || itemAt(items, next).v)) next += 1;
  for (let index = at; index < next; index += 1) asNote(items, index);
  pieces(items, at);
  if (itemAt(items, next).k !== "addr") return;
  items[next - 1] = { ...itemAt(items, next - 1), k: "key", v: "nft", slot: "note" };
  let back = at - 1;
  while (back > at - 4 && itemAt(items, back).k === "noise") back -= 1;
  if (isPrep(itemAt(items, back), /^(?:from|of|on|in)$/)) asNote(items, back);
};

/** "item 104", where a standard of collectibles is named. */
const pieces = (items: Item[], until: number): void => {
  for (let at = 0; at < until; at += 1)
    if (/^(?:item|piece)$/.test(itemAt(items, at).low) && itemAt(items, at + 1).k === "num")
      items[at] = { ...itemAt(items, at), k: "nftid", v: "", mark: null, symbol: null };
};

/** "Milady 1795 @ 6 ETH": what it costs. */
const priced = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.low === "@" && itemAt(items, at + 1).k === "num")
    items[at] = { ...item, k: "prep", v: "for", low: "for" };
};

/** "order 88-C": which order it is about. */
const orderNumber = (items: Item[], at: number): void => {
  const [item, number] = [itemAt(items, at), itemAt(items, at + 1)];
  if (!/^orders?$/.test(item.low) || number.k !== "num" || number.read?.plain !== true) return;
  if (isOne(items[at + 2], kinds("asset,scale,fiat,class,collection"))) return;
  asNote(items, at + 1);
  const [dash, tail] = [itemAt(items, at + 2), itemAt(items, at + 3)];
  if (dash.v === "-" && dash.tight && tail.tight) for (const index of [at + 2, at + 3]) asNote(items, index);
};

const BOOKS = /^(?:INV|PO|SO|REF|ORD|TKT|QUO|BILL)$/;
const isBook = (before: Item | undefined, { text }: Item): boolean =>
  before?.k === "noteword" || BOOKS.test(text);

/** "invoice INV-0231": a number of one's own books, whatever token bears those letters. */
const bookNumber = (items: Item[], at: number): void => {
  const [before, item, dash, number] = [-1, 0, 1, 2].map((step) => itemAt(items, at + step));
  if (item?.k !== "asset" || dash?.v !== "-" || number?.k !== "num") return;
  if (!isBook(before, item) || !dash.tight || !number.tight) return;
  for (const index of [at, at + 1, at + 2]) asNote(items, index);
};

const SOON =
  /^(?:weekend|noon|midnight|tonight|tomorrow|eod|cob|lunch|dinner|payday|close|end of (?:the )?(?:day|week|month)|(?:this|the) (?:evening|weekend)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mittag|abend|wochenende|mediodia|manana|midi|ce soir|demain|amanha)$/;

/** "before the weekend", "by noon": what happens at once is in time. */
const soon = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k !== "until" || !/^(?:before|by|antes de|antes del|avant|avant le|vor|bis)$/.test(item.low))
    return;
  const next = itemAt(items, at + 1).k === "noise" ? at + 2 : at + 1;
  if (!SOON.test(itemAt(items, next).low)) return;
  for (let index = at; index <= next; index += 1) asNote(items, index);
};

/** "the taxi we shared on Tuesday": when something was. */
const past = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k !== "later" || !item.low.startsWith("on ")) return;
  const [who, did] = [itemAt(items, at - 2), itemAt(items, at - 1)];
  if (
    /^(?:i|we|he|she|they|you)$/.test(who.low) &&
    /(?:ed|had|took|ate|got|made|went|bought|won)$/.test(did.low)
  )
    asNote(items, at);
};

/** "Treasury op. Safe …": an operation, and no chain. */
const operation = (items: Item[], at: number): void => {
  const [before, item] = [itemAt(items, at - 1), itemAt(items, at)];
  const named = isPrep(before, /./) || before.k === "num" || before.k === "key" || before.k === "end";
  if (item.k === "chain" && item.text === "op" && !named) asNote(items, at);
};

/** "7-day duration": the dash only joins. */
const joinedUnit = (items: Item[], at: number): void => {
  const [number, dash, unit] = [0, 1, 2].map((step) => itemAt(items, at + step));
  if (number?.k === "num" && dash?.v === "-" && dash.tight && unit?.k === "unit" && unit.tight)
    items.splice(at + 1, 1);
};

/** "ERC-7821 batch", "EIP 3009": the number of a standard. */
const proposal = (items: Item[], at: number): void => {
  if (!/^(?:erc|eip|bip|rip|caip)$/.test(itemAt(items, at).low)) return;
  const number = itemAt(items, at + 1).v === "-" ? at + 2 : at + 1;
  if (itemAt(items, number).k !== "num" || NUMBERED.test(itemAt(items, number).text)) return;
  for (let index = at; index <= number; index += 1) asNote(items, index);
};

const GLUED = kinds("num,word,punct,asset,noteword,id");
const GLUE_MAX = 8;

/** Where a run written without spaces ends that begins here: "INV-2024-118". */
const runEnd = (items: readonly Item[], at: number): number => {
  let end = at + 1;
  while (end < at + GLUE_MAX && itemAt(items, end).tight && isGlued(itemAt(items, end))) end += 1;
  return end;
};
const isGlued = (item: Item): boolean =>
  isOne(item, GLUED) && (item.k !== "punct" || /^[-/.#]$/.test(item.v));

const NUMBERING =
  /^(?:settlement|trade|deal|round|tranche|disbursement|payment|payout|batch|expense|grant|milestone|bounty|cycle|ticket|pago|lote|paiement|virement|lot|zahlung|auftrag|pagamento)$/;
const OPENS_RUN = kinds("num,word,noteword");

/** "disbursement #12:" heads a request; without the colon the number may be of a piece. */
const isHeaded = (items: readonly Item[], at: number, end: number): boolean =>
  NUMBERING.test(itemAt(items, at).low) && itemAt(items, at + 1).v === "#" && itemAt(items, end).v === ":";

/** "ref INV-2024-118", "referral 0", "disbursement #12:": what follows the word only numbers something. */
const tail = (items: Item[], at: number): void => {
  const { k, low } = itemAt(items, at);
  const end = runEnd(items, at + 1);
  const named = (k === "noteword" || low === "referral") && isOne(items[at + 1], OPENS_RUN);
  if (!named && !isHeaded(items, at, end)) return;
  const run = items.slice(at + 1, end);
  if (!run.some((item) => item.k === "num") || isOne(items[end], COUNTABLE)) return;
  const close = run.at(-1)?.k === "punct" ? end - 1 : end;
  for (let index = at + 1; index < close; index += 1) asNote(items, index);
};
const COUNTABLE = kinds("asset,scale,fiat,class,collection,unit,percent");

const INSTEAD = /^(?:instead of|rather than|statt|anstatt|en vez de|em vez de|au lieu de|而不是|而 不 是)$/;

/** "140 USDC this time instead of 120": another amount of the same, and not what is asked for. */
const instead = (items: Item[], at: number): void => {
  if (!INSTEAD.test(itemAt(items, at).low) || itemAt(items, at + 1).k !== "num") return;
  const end = itemAt(items, at + 2);
  if (end.k !== "end" && end.k !== "stop" && end.k !== "line") return;
  if (numbersIn(items, at - COUNT_REACH, at) === 0) return;
  asNote(items, at);
  asNote(items, at + 1);
};

const JUST =
  /^(?:just|only|exactly|solo|solamente|apenas|so|somente|seulement|juste|nur|genau|只要|只 要|只|仅)$/;

/** "500 USDC into Aave, just 500": the same number again. */
const again = (items: Item[], at: number): void => {
  const [just, number, end] = [itemAt(items, at), itemAt(items, at + 1), itemAt(items, at + 2)];
  if (!JUST.test(just.low) || number.k !== "num" || number.read === null || number.read.others.length > 0)
    return;
  const closed = end.k === "end" || end.k === "stop" || end.k === "line";
  const said = items.slice(Math.max(0, at - COUNT_REACH), at).filter((item) => item.k === "num");
  if (!closed || said.length !== 1 || said[0]?.text !== number.text) return;
  asNote(items, at);
  asNote(items, at + 1);
};

const WEIGHTY = kinds(
  "num,addr,name,hex,asset,venue,chain,neg,cond,bound,key,all,share,unlimited,self,contact,fee,gas,slippage,within,until,later,date,correct,collection,id,pronoun",
);

const isWeighty = (item: Item): boolean => isOne(item, WEIGHTY) && item.low !== "by";

/** "(approved by planner)": brackets with nothing of weight in them describe. */
const bracket = (items: Item[], at: number): void => {
  if (itemAt(items, at).v !== "(") return;
  let end = at + 1;
  while (end < at + 8 && itemAt(items, end).v !== ")" && !isWeighty(itemAt(items, end))) end += 1;
  if (itemAt(items, end).v !== ")" || !items.slice(at, end).some((item) => item.low.endsWith("ed"))) return;
  for (let index = at; index <= end; index += 1) asNote(items, index);
};

/** "USDC (native USDC, not USDC.e)": which of two like names it is. */
const which = (items: Item[], at: number): void => {
  const named = itemAt(items, at - 1);
  if (itemAt(items, at).v !== "(" || named.k !== "asset") return;
  let end = at + 1;
  while (end < at + 8 && itemAt(items, end).v !== ")") end += 1;
  const inside = items.slice(at + 1, end);
  const [first] = inside.filter((item) => item.k === "asset");
  if (itemAt(items, end).v !== ")" || first?.v !== named.v || inside.some((item) => !isOne(item, TELLING)))
    return;
  for (let index = at; index <= end; index += 1) asNote(items, index);
};
const TELLING = kinds("asset,noise,word,punct,neg,class");

const CHAINS: Readonly<Record<string, string>> = {
  "1": "ethereum",
  "10": "optimism",
  "56": "bnb chain",
  "100": "gnosis",
  "137": "polygon",
  "8453": "base",
  "42161": "arbitrum",
  "43114": "avalanche",
  "59144": "linea",
  "11155111": "sepolia",
};

/** "chain_id: 8453": the number of a chain is its name. */
const chainNumber = (items: Item[], at: number): void => {
  const [key, number] = [itemAt(items, at), itemAt(items, at + 1)];
  const name = CHAINS[number.text];
  if (key.k !== "key" || key.v !== "chain" || number.k !== "num" || name === undefined) return;
  items[at + 1] = { ...number, k: "chain", v: name, low: name, read: null };
};

export const takeFields = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) {
    nested(items, at);
    joinedUnit(items, at);
    piece(items, at);
    tokenNumber(items, at);
    standard(items, at);
    priced(items, at);
    orderNumber(items, at);
    bookNumber(items, at);
    soon(items, at);
    past(items, at);
    operation(items, at);
    proposal(items, at);
    tail(items, at);
    instead(items, at);
    again(items, at);
    bracket(items, at);
    which(items, at);
    chainNumber(items, at);
  }
};
