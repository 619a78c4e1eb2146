/** A small literal lexicon for tests of the reader. The real one comes from the registry and the protocols. */
import type { AssetRef, Decimal, PartyRef, Portion, Quantity, Step } from "../src/intent.ts";
import type { Lexicon } from "../src/words/lexicon.ts";
import { readWords } from "../src/words/read-words.ts";

const symbols = new Set(
  "ETH WETH USDC USDT DAI WBTC LINK UNI AAVE STETH WSTETH RETH CBETH ARB OP MATIC POL PEPE SHIB COMP CRV LDO MKR SNX GRT ENS BNB USDC.E USDE SUSDE FRAX EURC PYUSD GHO LUSD BAL SUSHI 1INCH COW RPL EIGEN WEETH EETH EZETH MORPHO PENDLE APE MANA SAND DOGE GALA SAFE ONE GAS AUSDC CUSDC ATOKEN TBTC BTC SWETH OSETH SFRXETH CAKE AVAX WAVAX PEOPLE BOB MAX FOR SKY USDS RAI TSUKA BASE".split(
    " ",
  ),
);
const english = new Set("APE SAND SAFE ONE GAS PEOPLE BOB MAX FOR SKY BASE COW LINK CAKE MANA OP".split(" "));

const venues: Readonly<Record<string, string>> = {
  uniswap: "uniswap",
  uni: "uniswap",
  "uniswap v2": "uniswap_v2",
  "uniswap v3": "uniswap_v3",
  "uni v3": "uniswap_v3",
  "uniswap v4": "uniswap_v4",
  "universal router": "universal_router",
  aave: "aave_v3",
  "aave v3": "aave_v3",
  compound: "compound",
  "compound v3": "compound_v3",
  comet: "compound_v3",
  lido: "lido",
  "rocket pool": "rocket_pool",
  rocketpool: "rocket_pool",
  "cow swap": "cow",
  cowswap: "cow",
  "cow protocol": "cow",
  "1inch": "one_inch",
  across: "across",
  opensea: "seaport",
  seaport: "seaport",
  curve: "curve",
  balancer: "balancer",
  morpho: "morpho",
  sushiswap: "sushiswap",
  pancakeswap: "pancakeswap",
  eigenlayer: "eigenlayer",
  pendle: "pendle",
  uniswapx: "uniswapx",
  permit2: "permit2",
  stargate: "stargate",
  hop: "hop",
  etherfi: "etherfi",
  "0x": "zero_ex",
  spark: "spark",
  yearn: "yearn",
};
const chains: Readonly<Record<string, number>> = {
  ethereum: 1,
  "ethereum mainnet": 1,
  mainnet: 1,
  "eth mainnet": 1,
  base: 8453,
  "base mainnet": 8453,
  arbitrum: 42161,
  "arbitrum one": 42161,
  arb: 42161,
  optimism: 10,
  "op mainnet": 10,
  op: 10,
  polygon: 137,
  "polygon pos": 137,
  bnb: 56,
  "bnb chain": 56,
  bsc: 56,
  avalanche: 43114,
  sepolia: 11155111,
  "sepolia testnet": 11155111,
  gnosis: 100,
  linea: 59144,
  scroll: 534352,
};

export const lexicon: Lexicon = {
  isSymbol: (word) => symbols.has(word.toUpperCase()),
  isEnglish: (word) => english.has(word.toUpperCase()),
  chainNamed: (phrase) => {
    const id = chains[phrase];
    return id === undefined ? null : { id };
  },
  venueNamed: (phrase) => venues[phrase] ?? null,
  venuePhrases: Object.keys(venues),
  chainPhrases: Object.keys(chains),
  collectionPhrases: ["bored ape", "mutant ape", "pudgy penguin", "cool cat"],
};

export const decimalText = ({ digits, scale }: Decimal): string => {
  if (scale <= 0) return String(digits * 10n ** BigInt(-scale));
  const text = digits.toString().padStart(scale + 1, "0");
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`.replace(/\.?0+$/, "");
};

const assetText = (asset: AssetRef | null): string => {
  if (asset === null) return "?";
  if (asset.kind === "symbol") return asset.symbol;
  if (asset.kind === "address") return asset.address.slice(0, 4);
  if (asset.kind === "nft") return `nft(${(asset.collection ?? "").slice(0, 20)}#${asset.ids.join("#")})`;
  return `<${asset.name}>`;
};

const boundText = (quantity: Extract<Quantity, { kind: "fiat" }>): string =>
  quantity.bound === "exact" ? "" : `${quantity.bound}-`;

const quantityTexts: {
  readonly [K in Quantity["kind"]]: (quantity: Extract<Quantity, { kind: K }>) => string;
} = {
  exact: ({ n, others }) => [n, ...others].map(decimalText).join("|"),
  range: ({ least, most }) => `${decimalText(least)}..${decimalText(most)}`,
  share: ({ bps, ratio, of }) => `${ratio === undefined ? `${bps}bps` : ratio.join("/")}-of-${of}`,
  all: ({ except }) => (except === null ? "all" : `all-but-${decimalText(except)}`),
  fiat: (quantity) => `${boundText(quantity)}${quantity.currency}${decimalText(quantity.n)}`,
  raw: ({ n }) => `raw-${n}`,
  about: ({ n }) => `about-${decimalText(n)}`,
  most: ({ n }) => `most-${decimalText(n)}`,
  least: ({ n }) => `least-${decimalText(n)}`,
  unlimited: () => "unlimited",
  vague: () => "vague",
};

const quantityText = (quantity: Quantity): string =>
  (quantityTexts[quantity.kind] as (one: Quantity) => string)(quantity);

const portionText = ({ quantity, asset }: Portion): string =>
  quantity === null ? assetText(asset) : `${quantityText(quantity)} ${assetText(asset)}`;

const partyText = (party: PartyRef): string => {
  switch (party.kind) {
    case "address":
      return party.address.slice(0, 4);
    case "name":
      return party.name;
    case "contact":
      return `"${party.label}"`;
    case "venue":
      return `@${party.venue}`;
    case "self":
      return "self";
  }
};

const deadlineText = (deadline: NonNullable<Step["deadline"]>): string =>
  deadline.kind === "within" ? `${deadline.seconds}s` : `@${deadline.unix}`;

const list = (name: string, parts: readonly string[]): string =>
  parts.length === 0 ? "" : `${name} ${parts.join(" + ")}`;
const one = <T>(name: string, value: T | null, show: (value: T) => string): string =>
  value === null ? "" : `${name} ${show(value)}`;
const held = (bound: { readonly value: bigint | number | boolean }): string => String(bound.value);

const stepText = (step: Step): string =>
  [
    step.acts.join("/"),
    list("give", step.gives.map(portionText)),
    list("get", step.gets.map(portionText)),
    list("to", step.to.map(partyText)),
    one("from", step.from, partyText),
    one("spender", step.spender, partyText),
    one("behalf", step.onBehalfOf, partyText),
    list(
      "venue",
      step.venues.map((venue) => (venue.mode === "avoid" ? "!" : "") + venue.venue),
    ),
    one("chain", step.chain, held),
    one("toChain", step.toChain, held),
    one("slippage", step.slippageBps, held),
    one(
      "price",
      step.limitPrice,
      (price) => `${price.side} ${decimalText(price.n)} ${assetText(price.quote)}/${assetText(price.base)}`,
    ),
    one("deadline", step.deadline, deadlineText),
    one("gas", step.gas, (gas) => Object.keys(gas).join(" ")),
    one("partial", step.partialFill, held),
    one("admin", step.admin, (admin) =>
      [admin.kind, ...(admin.party === null ? [] : [partyText(admin.party)])].join(" "),
    ),
    one("fee", step.fee, (fee) => String(fee.bps ?? "some")),
    list(
      "if",
      step.conditions.map((condition) => condition.kind),
    ),
  ]
    .filter((part) => part !== "")
    .join(" · ");

/** Formats an intent in one readable line: steps, refusals, doubts, and hard words that no slot took. */
export const summary = (text: string, labels: readonly string[] = []): string => {
  const intent = readWords(text, lexicon, labels);
  const loose = intent.tokens.filter((token) => token.slot === null).map((token) => token.text);
  return [
    ...(intent.notARequest === null ? [] : [`NO REQUEST: ${intent.notARequest}`]),
    ...intent.steps.map(stepText),
    ...(intent.negations.length > 0 ? [`NOT ${intent.negations.map((one) => one.kind).join(" ")}`] : []),
    ...(intent.ambiguities.length > 0
      ? [`DOUBT ${intent.ambiguities.map((one) => one.said).join("; ")}`]
      : []),
    ...(loose.length > 0 ? [`LOOSE ${loose.join(" ")}`] : []),
  ].join(" ; ");
};

/** Three recipients for sentences: `0x1…1`, `0x2…2`, `0x3…3`, shown by their first digits. */
export const A = `0x${"1".repeat(40)}`;
export const B = `0x${"2".repeat(40)}`;
export const C = `0x${"3".repeat(40)}`;

/** Pieces that make a hostile text when repeated. */
export const hostileUnits: readonly string[] = [
  "1,",
  "((((",
  "send ",
  " ",
  "0",
  "to send ",
  "and ",
  `send 1 USDC to ${A} and `,
  "don't more than 1 ",
  "if ",
  "#1 ",
  '"',
  "a.",
  "и",
  "换",
  "half of my ",
  "und senden ",
  "1 - ",
  "so that ",
  "0x",
  "Token: ",
  "-a",
  "ignore all ",
  ". - ",
  "$",
  "A 1 ",
  "\u200b",
];
