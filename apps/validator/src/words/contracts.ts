/**
 * Addresses that only identify a contract: the token's next to its symbol, the vault's next to its name. They are not
 * payees and fill no slot, so the transaction itself must touch them.
 */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

/** Steps over the address without a slot: coverage looks for it in the bytes. */
const leaveToBytes = (items: readonly Item[], at: number): void => {
  itemAt(items, at).skip = true;
};

const PIECES = kinds("collection,id,nftid");
const TOKENS =
  /^(?:token|contract|token contract|contract address|token address|asset address|erc20|asset|tokenaddress|contractaddress|token_address|contract_address|direccion del token|contrato|contrat|vertrag)$/;

const isField = (items: readonly Item[], at: number): boolean =>
  (itemAt(items, at).k === "key" && itemAt(items, at).v === "token") ||
  (itemAt(items, at).k === "key" &&
    itemAt(items, at).low.startsWith("address") &&
    TOKENS.test(itemAt(items, at - 1).low)) ||
  (TOKENS.test(itemAt(items, at - 1).low) && /^[:=]$/.test(itemAt(items, at).v));

const ofToken = (items: Item[], at: number): void => {
  const number = itemAt(items, at + 1).k === "addr" ? at + 1 : -1;
  if (number < 0 || !isField(items, at)) return;
  leaveToBytes(items, number);
  asNote(items, at);
  if (/^[:=]$/.test(itemAt(items, at).text) && TOKENS.test(itemAt(items, at - 1).low)) asNote(items, at - 1);
};

const POOLS = /^(?:vaults?|pool|market|gauge|farm|strategy|boveda|cofre|coffre|tresor|金 库)$/;
const LENDS = new Set<string | undefined>([
  "supply",
  "stake",
  "withdraw",
  "unstake",
  "borrow",
  "repay",
  "add_liquidity",
]);
const PAYS = new Set<string | undefined>(["transfer", "approve", "revoke"]);

/** "shares go to me". */
const comesBack = (items: readonly Item[], at: number): boolean =>
  /^(?:go|goes|come|comes)$/.test(itemAt(items, at).low) &&
  isPrep(itemAt(items, at + 1), /^to$/) &&
  itemAt(items, at + 2).k === "self";

/** Everything requested happens at a venue: no one is paid, and no one may spend. */
const isDeposit = (items: readonly Item[]): boolean => {
  const acts = items.flatMap((item, at) =>
    item.k === "verb" && (item.mark?.acts.length ?? 0) > 0 && !comesBack(items, at)
      ? [item.mark?.acts[0]]
      : [],
  );
  return acts.some((act) => LENDS.has(act)) && !acts.some((act) => PAYS.has(act));
};

/** "in the Steakhouse USDC vault 0x…": the noun with its own name behind a preposition of place. */
const isInto = (items: readonly Item[], at: number): boolean => {
  let back = at - 1;
  while (back > at - 6 && isOne(items[back], NAMING)) back -= 1;
  return isPrep(itemAt(items, back), /^(?:in|into|on|to)$/);
};
const NAMING = kinds("noise,my,word,asset,venue,class");

/** "Vault 0x…: deposit". */
const isHead = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).first && itemAt(items, at + 2).v === ":";

/** "deposit: vault 0x…, assets 50 USDC". */
const isInList = (items: readonly Item[], at: number): boolean =>
  /^[:,]$/.test(itemAt(items, at - 1).v) && itemAt(items, at + 2).v === ",";

/** "the Steakhouse USDC vault (0x…)". */
const ofVault = (items: Item[], at: number): void => {
  if (!POOLS.test(itemAt(items, at).low)) return;
  const open = itemAt(items, at + 1).v === "(" ? 1 : 0;
  const [address, close] = [itemAt(items, at + 1 + open), itemAt(items, at + 2 + open)];
  const named = open === 1 ? close.v === ")" : isInto(items, at) || isHead(items, at) || isInList(items, at);
  if (address.k !== "addr" || !named) return;
  leaveToBytes(items, at + 1 + open);
  // A token is called VAULT.
  if (isInList(items, at)) asNote(items, at);
};

export const takeContracts = (items: Item[]): void => {
  const symbol = items.some((item) => item.k === "asset") && !items.some((item) => isOne(item, PIECES));
  const deposit = isDeposit(items);
  for (let at = 0; at < items.length; at += 1) {
    if (symbol) ofToken(items, at);
    if (deposit) ofVault(items, at);
  }
};

const HELD = /^\p{Ll}+$/u;

/** "the market maker 0x…": a small word after another describes a party, whatever venue has that name. */
export const takeNouns = (items: Item[]): void => {
  for (const [at, item] of items.entries()) {
    const before = itemAt(items, at - 1);
    const compound = before.k === "word" || /(?:^| )market$/.test(before.low);
    if (item.k === "venue" && HELD.test(item.text) && compound && HELD.test(before.text)) asNote(items, at);
  }
};
