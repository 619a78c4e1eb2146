/** Reads the caller's balances, prices and tokens. */
import type { Address, Context } from "../proposal.ts";
import type { Registry } from "../registry.ts";
import { isWrittenNumber, writtenAs } from "./lossless-json.ts";
import { capped } from "./parties.ts";
import { membersOf, type Place } from "./places.ts";
import {
  asList,
  asObject,
  asQuantity,
  isAddress,
  lower,
  member,
  shown,
  type Json,
  type Notes,
} from "./values.ts";

const balanceKeys = ["balances", "token_balances", "tokenBalances"] as const;
const priceKeys = ["prices_usd", "pricesUsd", "prices", "usd_prices", "usdPrices", "token_prices"] as const;
const tokenKeys = ["tokens", "token_list", "tokenList"] as const;
const coinNames: ReadonlySet<string> = new Set([
  "native",
  "0x0000000000000000000000000000000000000000",
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
]);

export type Ground = { readonly chain: number; readonly registry: Registry; readonly notes: Notes };
type Pair = { readonly at: string; readonly key: string; readonly value: unknown };

/** Reads a map, or a list of objects that contain their key. */
function pairsOf(
  places: readonly Place[],
  keys: readonly string[],
  what: string,
  notes: Notes,
): readonly Pair[] {
  const pairs = membersOf(places, keys).flatMap(({ at, given }): readonly Pair[] => {
    const entries = Object.entries(asObject(given) ?? {}).map(([key, value]) => ({
      at: `${at}.${shown(key)}`,
      key,
      value,
    }));
    const items = (asList(given) ?? []).map((value, index) => ({
      at: `${at}[${index}]`,
      key: keyOf(value),
      value,
    }));
    return [...entries, ...items.filter(({ key }) => key !== "")];
  });
  return capped(pairs, what, notes);
}

function keyOf(item: unknown): string {
  const object = asObject(item) ?? {};
  const key = ["address", "token", "token_address", "tokenAddress", "contract", "asset", "symbol"]
    .map((name) => member(object, name))
    .find((value) => typeof value === "string");
  return typeof key === "string" ? key : "";
}

/** Returns balances in base units. A symbol applies to every token it may mean. An amount given by address takes precedence. */
export function readBalances(places: readonly Place[], ground: Ground): Context["balances"] {
  if (membersOf(places, balanceKeys).length === 0) return null;
  const exact = new Map<Address | "native", bigint>();
  const bySymbol = new Map<Address | "native", bigint>();
  for (const { at, key, value } of pairsOf(places, balanceKeys, "balances", ground.notes)) {
    const amount = asQuantity(amountOf(value));
    if (amount === null) continue;
    const plain = key.toLowerCase();
    if (coinNames.has(plain)) settle(exact, "native", amount, { at, notes: ground.notes });
    else if (isAddress(plain)) settle(exact, plain, amount, { at, notes: ground.notes });
    else for (const asset of assetsNamed(key, ground)) bySymbol.set(asset, bySymbol.get(asset) ?? amount);
  }
  return new Map([...bySymbol, ...exact]);
}

function amountOf(value: unknown): unknown {
  const object = asObject(value);
  if (object === null) return value;
  return ["balance", "amount", "raw", "value"]
    .map((key) => member(object, key))
    .find((found) => found !== undefined);
}

function assetsNamed(symbol: string, { chain, registry }: Ground): readonly (Address | "native")[] {
  if (registry.chain(chain)?.coin.toLowerCase() === symbol.toLowerCase()) return ["native"];
  return registry.named(chain, symbol).map(({ address }) => address);
}

function settle<K, V>(map: Map<K, V>, key: K, value: V, { at, notes }: { at: string; notes: Notes }): void {
  const before = map.get(key);
  if (before === undefined) map.set(key, value);
  else if (before !== value) {
    notes.defects.push({
      check: "context_conflict",
      at,
      found: String(value),
      expected: `the same as the earlier value: ${String(before)}`,
    });
  }
}

/** Returns prices in dollars per whole unit, by symbol. A price given by address is listed under that token's symbol. */
export function readPrices(places: readonly Place[], ground: Ground): Context["prices"] {
  if (membersOf(places, priceKeys).length === 0) return null;
  const prices = new Map<string, number>();
  for (const { at, key, value } of pairsOf(places, priceKeys, "prices", ground.notes)) {
    const price = priceOf(value);
    const symbol = symbolFor(key, ground);
    if (price !== null && symbol !== null) settle(prices, symbol, price, { at, notes: ground.notes });
  }
  return prices;
}

function priceOf(value: unknown): number | null {
  const object = asObject(value);
  const plain =
    object === null
      ? value
      : ["usd", "price", "price_usd", "priceUsd"]
          .map((key) => member(object, key))
          .find((found) => found !== undefined);
  const text = isWrittenNumber(plain)
    ? writtenAs(plain)
    : typeof plain === "string"
      ? plain.slice(0, 64)
      : null;
  const price =
    text === null
      ? Number(typeof plain === "bigint" || typeof plain === "number" ? plain : NaN)
      : Number(text);
  return Number.isFinite(price) && price > 0 ? price : null;
}

function symbolFor(key: string, { chain, registry }: Ground): string | null {
  const plain = key.toLowerCase();
  if (coinNames.has(plain)) return registry.chain(chain)?.coin.toUpperCase() ?? null;
  if (isAddress(plain))
    return registry.token(chain, lower(plain))?.symbol.toUpperCase() ?? plain.toUpperCase();
  return key.length <= 64 ? key.toUpperCase() : null;
}

/** Returns the caller's token symbols and decimals, given by address or by symbol. */
export function readTokens(places: readonly Place[], { notes }: Ground): Context["tokens"] {
  return pairsOf(places, tokenKeys, "tokens", notes).flatMap(({ key, value }) => {
    const object: Json = asObject(value) ?? {};
    const address = [value, key, member(object, "address"), member(object, "contract")].find(isAddress);
    if (address === undefined) return [];
    const symbol = member(object, "symbol") ?? (isAddress(key) ? undefined : key);
    const decimals = asQuantity(member(object, "decimals"));
    return [
      {
        address: lower(address),
        symbol: typeof symbol === "string" ? symbol : null,
        decimals: decimals === null || decimals > 255n ? null : Number(decimals),
      },
    ];
  });
}
