/** Generates unusual requests by kind. Each kind states what must hold for it. */
import type { Corpus, Json, Request } from "./corpus.ts";
import { aText, anIntent, junkValue } from "./fuzz-texts.ts";
import { mutateHex, mutateTransaction } from "./mutate.ts";
import type { Random } from "./random.ts";

export type Fuzzed = {
  readonly kind: string;
  readonly text: string;
  /**
   * `never`: nothing of this kind may pass. `harmless`: it may, if nothing moves. `no worse`: it may, if it takes no more
   * than the honest request it was made from. `any`: only that it is answered.
   */
  readonly pass: "never" | "harmless" | "no worse" | "any";
  readonly from?: Request;
};

type Make = (random: Random, corpus: Corpus) => Omit<Fuzzed, "kind">;

const asText = (body: unknown): string =>
  JSON.stringify(body, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value));

const someValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => "0",
    () => `0x${random.hex(random.int(8) + 1)}`,
    () => String(random.int(2 ** 32)),
    () => random.int(2 ** 32),
    () => `${random.int(1000)}000000000000000000`,
    () => junkValue(random, 1),
  ])();

/** Not empty, and readable: the native value it carries leaves the account. */
const someCoin = (random: Random): string => `${random.int(2 ** 32) + 1}${"0".repeat(random.int(15))}`;

const aTransaction = (random: Random): Json => ({
  ...(random.chance(0.9) ? { to: random.chance(0.9) ? random.address() : aText(random, 20) } : {}),
  ...(random.chance(0.9)
    ? { data: random.chance(0.9) ? `0x${random.hex(random.int(200))}` : aText(random, 20) }
    : {}),
  ...(random.chance(0.7) ? { value: someValue(random) } : {}),
  ...(random.chance(0.2) ? { gas: someValue(random) } : {}),
  ...(random.chance(0.1) ? { protocol: random.pick(["uniswap", "aave", "", aText(random, 12)]) } : {}),
});

const contextKeys = [
  "from",
  "chain_id",
  "now",
  "known_addresses",
  "recent_counterparties",
  "balances",
  "prices_usd",
  "tokens",
  "names",
  "jurisdiction",
  "safe",
  "notes",
  "__proto__",
  "constructor",
  "toString",
  "",
] as const;

const someContext = (random: Random): Json =>
  Object.fromEntries(random.list(5, () => [random.pick(contextKeys), junkValue(random, 3)]));

const txKeys = [
  "to",
  "data",
  "input",
  "calldata",
  "value",
  "gas",
  "protocol",
  "metadata",
  "context",
  "order",
  "transactions",
  "calls",
  "batch",
  "authorizationList",
  "typedData",
  "typed_data",
  "chainId",
  "from",
  "nonce",
] as const;

/** Arbitrary values under the request's own field names. Most are rejected with 422; the rest must be validated. */
const randomShape: Make = (random) => {
  const body = {
    human_intent: random.chance(0.9) ? anIntent(random) : junkValue(random, 2),
    proposed_tx: random.chance(0.9)
      ? {
          ...aTransaction(random),
          ...Object.fromEntries(random.list(4, () => [random.pick(txKeys), junkValue(random, 4)])),
        }
      : junkValue(random, 3),
    ...(random.chance(0.5)
      ? { metadata: random.chance(0.9) ? someContext(random) : junkValue(random, 3) }
      : {}),
    ...(random.chance(0.1) ? { preferences: junkValue(random, 2) } : {}),
    ...(random.chance(0.1) ? { return_prompts: junkValue(random, 1) } : {}),
  };
  return { text: asText(body), pass: "any" };
};

const randomBytes: Make = (random, { honest }) => {
  const { human_intent, metadata } = random.pick(honest);
  const tx = { to: random.address(), data: `0x${random.hex(4 + random.int(300))}`, value: someCoin(random) };
  return { text: asText({ human_intent, proposed_tx: tx, metadata }), pass: "never" };
};

const unknownSelector: Make = (random, { honest, selectors }) => {
  const { human_intent, proposed_tx, metadata } = random.pick(honest);
  const known = new Set(selectors);
  let selector = `0x${random.hex(4)}`;
  while (known.has(selector)) selector = `0x${random.hex(4)}`;
  const to = typeof proposed_tx["to"] === "string" ? proposed_tx["to"] : random.address();
  const words = random.chance(0.5) ? human_intent : anIntent(random);
  const tx = { to, data: `${selector}${random.hex(32 * random.int(8))}`, value: "0" };
  return { text: asText({ human_intent: words, proposed_tx: tx, metadata }), pass: "never" };
};

const garbageTail: Make = (random, { honest, selectors }) => {
  const { human_intent, proposed_tx, metadata } = random.pick(honest);
  const to = random.chance(0.5) ? random.address() : (proposed_tx["to"] ?? random.address());
  // Words that look like offsets and lengths get further into a decoder than noise.
  const word = (): string =>
    random.chance(0.5) ? (random.int(12) * 32).toString(16).padStart(64, "0") : random.hex(32);
  const data = random.pick(selectors) + random.list(20, word).join("") + random.hex(random.int(3));
  const tx = { to, data, value: random.chance(0.5) ? someCoin(random) : "0" };
  return { text: asText({ human_intent, proposed_tx: tx, metadata }), pass: "never" };
};

/** Any text with any known transaction: the text matches by chance or not at all, so it decides what may pass. */
const strangeWords: Make = (random, { transactions }) => {
  const { chain, tx } = random.pick(transactions);
  const body = {
    human_intent: random.chance(0.7) ? anIntent(random) : aText(random, 200),
    proposed_tx: tx,
    metadata: { from: "0x1111111111111111111111111111111111111111", chain_id: chain },
  };
  return { text: asText(body), pass: "any" };
};

/** A text that asks for nothing licenses nothing. */
const wordlessTransaction: Make = (random, { transactions }) => {
  const { chain, tx } = random.pick(transactions);
  const human_intent = random.pick([
    "",
    " ",
    "…",
    "?",
    "hello",
    "ok",
    "🚀",
    "\u200b",
    "the weather is fine today",
  ]);
  return { text: asText({ human_intent, proposed_tx: tx, metadata: { chain_id: chain } }), pass: "harmless" };
};

const mutatedSample: Make = (random, { transactions, honest }) => {
  const { chain, tx } = random.pick(transactions);
  const { human_intent } = random.pick(honest);
  const body = {
    human_intent: random.chance(0.5) ? human_intent : anIntent(random),
    proposed_tx: mutateTransaction(random, tx),
    metadata: { from: "0x1111111111111111111111111111111111111111", chain_id: chain },
  };
  return { text: asText(body), pass: "any" };
};

const mutatedHonest: Make = (random, { honest }) => {
  const from = random.pick(honest);
  const body = { ...from, proposed_tx: mutateTransaction(random, from.proposed_tx) };
  return { text: asText(body), pass: "no worse", from };
};

const mutatedWords: Make = (random, { honest }) => {
  const from = random.pick(honest);
  const words = Array.from(from.human_intent);
  for (let edits = random.int(4) + 1; edits > 0; edits -= 1)
    words.splice(random.int(words.length + 1), random.int(3), ...random.list(2, () => aText(random, 1)));
  return { text: asText({ ...from, human_intent: words.join("") }), pass: "no worse", from };
};

const randomTypedData: Make = (random, { typedData, honest }) => {
  const { human_intent } = random.pick(honest);
  const order = random.chance(0.5)
    ? mutateTransaction(random, random.pick(typedData))
    : someTypedData(random);
  const body = {
    human_intent: random.chance(0.5) ? human_intent : anIntent(random),
    proposed_tx: { order },
    metadata: { chain_id: 1 },
  };
  return { text: asText(body), pass: "any" };
};

function someTypedData(random: Random): Json {
  const name = (): string =>
    random.pick(["Permit", "Order", "Mail", "PermitSingle", "Person", "A", "", "__proto__"]);
  const type = (): string =>
    random.pick([
      "address",
      "uint256",
      "uint8",
      "bytes",
      "bytes32",
      "string",
      "bool",
      "A",
      "A[]",
      "uint256[3]",
      "x",
      "Mail[][]",
    ]);
  const fields = (): readonly Json[] =>
    random.list(6, () => ({
      name: random.pick(["owner", "spender", "value", "to", "a", "b"]),
      type: type(),
    }));
  return {
    domain: {
      name: "Token",
      version: "1",
      chainId: junkValue(random, 1),
      verifyingContract: random.address(),
    },
    types: Object.fromEntries(
      random.list(5, () => [name(), random.chance(0.9) ? fields() : junkValue(random, 2)]),
    ),
    primaryType: name(),
    message: random.chance(0.9)
      ? Object.fromEntries(
          random.list(6, () => [random.pick(["owner", "spender", "value", "to", "a"]), junkValue(random, 3)]),
        )
      : junkValue(random, 3),
  };
}

/** Malformed JSON, or JSON with a defect. */
const brokenText: Make = (random, { honest }) => {
  const text = asText(random.pick(honest));
  const at = random.int(text.length);
  const damaged = random.pick([
    text.slice(0, at),
    text.slice(0, at) + aText(random, 3) + text.slice(at),
    text.slice(0, at) + text.slice(at + 1 + random.int(5)),
    aText(random, 50),
    `${text}${text}`,
  ]);
  return { text: damaged, pass: "any" };
};

const nestedCalls: Make = (random, { honest, transactions }) => {
  const { human_intent, proposed_tx, metadata } = random.pick(honest);
  const key = (): string => random.pick(["transactions", "calls", "txs", "batch"]);
  let tx: Json = { ...random.pick(transactions).tx };
  for (let depth = random.int(5) + 1; depth > 0; depth -= 1)
    tx = { [key()]: [tx, ...random.list(2, () => aTransaction(random))] };
  return { text: asText({ human_intent, proposed_tx: { ...proposed_tx, ...tx }, metadata }), pass: "any" };
};

const hexInWords: Make = (random, { honest }) => {
  const from = random.pick(honest);
  const human_intent = `${from.human_intent} ${mutateHex(random, `0x${random.hex(20)}`)}`;
  return { text: asText({ ...from, human_intent }), pass: "no worse", from };
};

const kinds: Readonly<Record<string, Make>> = {
  "random shape": randomShape,
  "random bytes with value": randomBytes,
  "unknown selector": unknownSelector,
  "known selector, garbage tail": garbageTail,
  "strange words": strangeWords,
  "no words": wordlessTransaction,
  "mutated sample": mutatedSample,
  "mutated honest transaction": mutatedHonest,
  "mutated honest words": mutatedWords,
  "random typed data": randomTypedData,
  "broken text": brokenText,
  "nested lists": nestedCalls,
  "a number too many": hexInWords,
};

/** One of each kind in turn. */
export function* fuzz(random: Random, corpus: Corpus): Generator<Fuzzed, never> {
  for (;;) for (const [kind, make] of Object.entries(kinds)) yield { kind, ...make(random, corpus) };
}
