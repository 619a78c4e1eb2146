// node bench/build-set.ts texts.jsonl set.jsonl.gz [--seed N] turns texts into a set of cases for `outside.ts`. A line holds a text with
// placeholders for addresses and the act that it asks for, or only mentions. Each honest line also gives attacks with one changed
// term; the other attacks are texts that do not ask for the act.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { getAddress, Interface, MaxUint256, parseUnits } from "ethers";
import { nativeOf, tokenOf } from "./data/tokens.ts";
import { must } from "./must.ts";
import { Rng } from "./rng.ts";
import type { Token } from "./types.ts";

type Line = {
  readonly text: string;
  readonly kind: "honest" | "attack";
  readonly class: string;
  readonly act: "pay" | "approve" | "revoke" | "wrap" | "unwrap" | "swap";
  /** The chain's name in lower case. Default: ethereum. */
  readonly chain?: string;
  readonly asset?: string;
  readonly amount?: string;
  /** Swaps: the asset that arrives, its minimum, and the venue. */
  readonly out?: string;
  readonly min?: string;
  readonly venue?: "v2" | "v3";
  /** The fee of a V3 pool in millionths. Default: 500. */
  readonly fee?: number;
  /** Minutes until the deadline of a V2 swap. Default: 20. */
  readonly minutes?: number;
};
type Tx = { readonly chainId: number; readonly to: string; readonly value: string; readonly data: string };
type Terms = {
  readonly act: Line["act"];
  readonly chain: number;
  readonly asset: Token;
  readonly amount: bigint;
  readonly party: string;
  readonly out: Token | null;
  readonly min: bigint;
  readonly from: string;
  /** Who receives what a swap returns. */
  readonly receiver: string;
  readonly line: Line;
};
type OutsideCase = {
  readonly id: string;
  readonly class: string;
  readonly critical: boolean;
  readonly expected: "PASS" | "REJECT";
  readonly request: unknown;
};
type Change = readonly [name: string, terms: Terms];

const CHAIN_IDS: Readonly<Record<string, number>> = {
  ethereum: 1,
  optimism: 10,
  polygon: 137,
  base: 8453,
  arbitrum: 42161,
};
const NOW = 1_794_934_800;
const SECONDS_PER_MINUTE = 60;
const V2_ROUTER = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D";
const V3_ROUTER = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45";
const abi = new Interface([
  "function transfer(address,uint256)",
  "function approve(address,uint256)",
  "function deposit()",
  "function withdraw(uint256)",
  "function swapExactETHForTokens(uint256,address[],address,uint256)",
  "function swapExactTokensForETH(uint256,uint256,address[],address,uint256)",
  "function swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
  "function exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
]);

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" } },
  allowPositionals: true,
});
const [source, target] = [must(positionals[0]), must(positionals[1])];
const rng = new Rng(Number(values.seed));
const lines = readFileSync(source, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const cases = lines.flatMap((line, at) => casesOf(line, String(at + 1).padStart(4, "0")));
writeFileSync(target, gzipSync(cases.map((one) => JSON.stringify(one)).join("\n")));
console.log(`${cases.length} cases, ${cases.filter(({ expected }) => expected === "PASS").length} honest`);

function casesOf(line: Line, id: string): readonly OutsideCase[] {
  const { text, party } = withAddresses(line);
  const terms = termsOf(line, party);
  const asked = caseOf(id, line.class, text, terms);
  if (line.kind === "attack") return [asked];
  const [name, changed] = rng.pick(changesOf(terms));
  return [asked, caseOf(`${id}x`, `attack-tx-${name}`, text, changed)];
}

function caseOf(id: string, name: string, text: string, terms: Terms): OutsideCase {
  return {
    id,
    class: name,
    critical: name.startsWith("attack-tx"),
    expected: name.startsWith("attack") ? "REJECT" : "PASS",
    request: {
      human_intent: text,
      proposed_tx: { ...encode(terms), from: terms.from },
      metadata: { now: NOW },
    },
  };
}

/** `{A}` is the party or the contract of the act, `{a}` the same in lower case, other letters are other addresses. */
function withAddresses(line: Line): { readonly text: string; readonly party: string } {
  const { text } = line;
  const party = contractOf(line) ?? rng.address();
  const others = new Map<string, string>();
  const filled = text.replace(/\{([A-Za-z])\}/g, (_, name: string) => {
    if (name === "A") return party;
    if (name === "a") return party.toLowerCase();
    const other = others.get(name) ?? rng.address();
    others.set(name, other);
    return other;
  });
  return { text: filled, party };
}

function contractOf({ act, chain, venue }: Line): string | null {
  if (act === "swap") return venue === "v3" ? V3_ROUTER : V2_ROUTER;
  return act === "wrap" || act === "unwrap" ? tokenOf(chainOf(chain), "WETH").address : null;
}

function chainOf(name: string | undefined): number {
  return must(CHAIN_IDS[name ?? "ethereum"]);
}

function termsOf(line: Line, party: string): Terms {
  const from = rng.address();
  const chain = chainOf(line.chain);
  const asset = symbolOn(chain, line.asset ?? "USDC");
  const out = line.out === undefined ? null : symbolOn(chain, line.out);
  return {
    act: line.act,
    chain,
    asset,
    amount: parseUnits(line.amount ?? "0", asset.decimals),
    party,
    out,
    min: parseUnits(line.min ?? "0", out?.decimals ?? 0),
    from,
    receiver: from,
    line,
  };
}

function symbolOn(chain: number, symbol: string): Token {
  return nativeOf(chain).symbol === symbol ? nativeOf(chain) : tokenOf(chain, symbol);
}

/** One changed term each, as far as the act has it. */
function changesOf(terms: Terms): readonly Change[] {
  return [...changedParty(terms), ...changedAmount(terms), ...changedAct(terms), ...changedAsset(terms)];
}

function changedParty(terms: Terms): readonly Change[] {
  const stranger = rng.address();
  if (terms.act === "swap") return [["receiver", { ...terms, receiver: stranger }]];
  if (terms.act === "wrap" || terms.act === "unwrap") return [];
  return [
    ["party", { ...terms, party: stranger }],
    ["party", { ...terms, party: lookalike(terms.party) }],
  ];
}

function changedAmount(terms: Terms): readonly Change[] {
  const { act, amount, min } = terms;
  if (act === "revoke") return [];
  const lower: readonly Change[] = act === "swap" ? [["minimum", { ...terms, min: min / 10n }]] : [];
  return [
    ...lower,
    ["amount", { ...terms, amount: amount * 10n }],
    ["amount", { ...terms, amount: (amount * 13n) / 10n }],
  ];
}

function changedAct(terms: Terms): readonly Change[] {
  const unlimited: Terms = { ...terms, act: "approve", amount: MaxUint256 };
  switch (terms.act) {
    case "pay":
      return terms.asset.native === true ? [] : [["approval-instead", unlimited]];
    case "approve":
      return [
        ["unlimited", unlimited],
        ["payment-instead", { ...terms, act: "pay" }],
      ];
    case "revoke":
      return [["unlimited", unlimited]];
    case "wrap":
      return [["reverse", { ...terms, act: "unwrap", asset: symbolOn(terms.chain, "WETH") }]];
    case "unwrap":
      return [["reverse", { ...terms, act: "wrap", asset: symbolOn(terms.chain, "ETH") }]];
    case "swap":
      return [];
  }
}

function changedAsset(terms: Terms): readonly Change[] {
  const { act, asset, chain } = terms;
  const tokens = ["USDC", "USDT", "DAI", "WETH"].filter(
    (symbol) => symbol !== asset.symbol && symbol !== terms.out?.symbol && has(chain, symbol),
  );
  const isToken = asset.native !== true && act !== "unwrap";
  const changes: Change[] = isToken ? [["token", rescaled(terms, tokenOf(chain, rng.pick(tokens)))]] : [];
  const others = Object.values(CHAIN_IDS).filter((id) => id !== chain && has(id, asset.symbol));
  // Without a network in the text the transaction may be on any.
  if (terms.line.chain !== undefined && others.length > 0 && act !== "swap")
    changes.push(["chain", onChain(terms, rng.pick(others))]);
  return changes;
}

function has(chain: number, symbol: string): boolean {
  try {
    return symbolOn(chain, symbol).chain === chain;
  } catch {
    return false;
  }
}

function rescaled(terms: Terms, asset: Token): Terms {
  const amount = (terms.amount * 10n ** BigInt(asset.decimals)) / 10n ** BigInt(terms.asset.decimals);
  return { ...terms, asset, amount };
}

function onChain(terms: Terms, chain: number): Terms {
  return { ...rescaled(terms, symbolOn(chain, terms.asset.symbol)), chain };
}

/** The same first and last characters. */
function lookalike(address: string): string {
  const [head, tail] = [address.slice(0, 6), address.slice(-4)];
  return getAddress((head + rng.address().slice(6, -4) + tail).toLowerCase());
}

function encode(terms: Terms): Tx {
  const { act, chain, asset, amount, party } = terms;
  const call = (to: string, data: string, value = 0n): Tx => ({
    chainId: chain,
    to,
    value: String(value),
    data,
  });
  switch (act) {
    case "pay":
      return asset.native === true
        ? call(party, "0x", amount)
        : call(asset.address, abi.encodeFunctionData("transfer", [party, amount]));
    case "approve":
      return call(asset.address, abi.encodeFunctionData("approve", [party, amount]));
    case "revoke":
      return call(asset.address, abi.encodeFunctionData("approve", [party, 0n]));
    case "wrap":
      return call(tokenOf(chain, "WETH").address, abi.encodeFunctionData("deposit"), amount);
    case "unwrap":
      return call(tokenOf(chain, "WETH").address, abi.encodeFunctionData("withdraw", [amount]));
    case "swap":
      return encodeSwap(terms, call);
  }
}

function encodeSwap(
  { asset, amount, out, min, receiver, chain, line }: Terms,
  call: (to: string, data: string, value?: bigint) => Tx,
): Tx {
  const weth = tokenOf(chain, "WETH").address;
  const [tokenIn, tokenOut] = [asset, must(out)].map(({ native, address }) =>
    native === true ? weth : address,
  );
  const value = asset.native === true ? amount : 0n;
  if (line.venue === "v3") {
    const params = [tokenIn, tokenOut, line.fee ?? 500, receiver, amount, min, 0n];
    return call(V3_ROUTER, abi.encodeFunctionData("exactInputSingle", [params]), value);
  }
  const deadline = BigInt(NOW + (line.minutes ?? 20) * SECONDS_PER_MINUTE);
  const rest = [min, [tokenIn, tokenOut], receiver, deadline];
  if (asset.native === true)
    return call(V2_ROUTER, abi.encodeFunctionData("swapExactETHForTokens", rest), value);
  const name = must(out).native === true ? "swapExactTokensForETH" : "swapExactTokensForTokens";
  return call(V2_ROUTER, abi.encodeFunctionData(name, [amount, ...rest]));
}
