// Swaps through Uniswap V2, V3 and SwapRouter02, and 1inch's aggregation router.
import { solidityPacked } from "ethers";
import { must } from "../must.ts";
import type { Call, Gen, Params, Recipe, Token } from "../types.ts";
import { MAIN_CHAINS } from "../data/chains.ts";
import { ONEINCH_V6, ROUTER_02, V2_ROUTER, V3_ROUTER } from "../data/protocols.ts";
import { NATIVE_PLACEHOLDER, nativeOf, tokenOf, tokensOf } from "../data/tokens.ts";
import { erc20, oneinch, router02, v2, v3 } from "./abi.ts";
import { base, quoteOut, typicalAmount, withSlippage } from "./base.ts";

const SWAPPABLE = ["USDC", "USDT", "DAI", "WETH", "WBTC", "LINK", "UNI", "ARB", "OP"];

/** Keeps four significant digits, so that a user could type the minimum. */
function fourDigits(value: bigint): bigint {
  const scale = 10n ** BigInt(Math.max(0, value.toString().length - 4));
  return (value / scale) * scale;
}

/** Chooses the pair, the quote at the given prices, and the terms that the request states. */
export function swapTerms(g: Gen, p: Params, native: "none" | "in" | "out" | "any"): void {
  const { rng } = g;
  const pool = tokensOf(g.chain).filter((t) => SWAPPABLE.includes(t.symbol));
  p.give = rng.pick(pool);
  p.get = rng.pick(pool.filter((t) => t.symbol !== must(p.give).symbol));
  const side = native === "any" ? rng.pick(["none", "in", "out"] as const) : native;
  if (side === "in") p.give = nativeOf(g.chain);
  if (side === "out") p.get = nativeOf(g.chain);
  const wrapped = g.chain === 137 ? "POL" : "WETH";
  if (side !== "none" && (p.give.symbol === wrapped || p.get.symbol === wrapped)) {
    const other = rng.pick(pool.filter((t) => t.symbol !== "WETH"));
    if (side === "in") p.get = other;
    else p.give = other;
  }
  p.amount = typicalAmount(g, p.give);
  settleTerms(g, p);
}

export function settleTerms(g: Gen, p: Params): void {
  const { rng } = g;
  p.quote = quoteOut(must(p.give), p.amount, must(p.get));
  const bps = rng.pick([30, 50, 100]);
  p.minOut = withSlippage(p.quote, bps);
  const roll = rng.next();
  if (roll < 0.3) p.say.slippageBps = bps;
  else if (roll < 0.55) {
    p.minOut = fourDigits(p.minOut);
    p.say.minOut = true;
  }
  if (rng.chance(0.25)) {
    p.say.deadlineMinutes = rng.pick([20, 30, 60]);
  }
  // Without a stated slippage the caller may send no prices at all.
  if (p.say.slippageBps === undefined && rng.chance(0.4)) p.prices = {};
  p.route = [must(p.give), must(p.get)];
  p.poolFee = rng.pick([500, 3000]);
}

const wrappedAddress = (p: Params, t: Token): string =>
  t.native ? tokenOf(p.chain, "WETH").address : t.address;

const pathOf = (p: Params): string[] => p.route.map((t) => wrappedAddress(p, t));

function approvalFor(p: Params): Call[] {
  if (!p.withApproval || must(p.give).native) return [];
  return [
    {
      to: must(p.give).address,
      data: erc20.encodeFunctionData("approve", [p.spender, p.allowance]),
      value: 0n,
    },
  ];
}

function venue(g: Gen, p: Params, names: readonly string[], target: string): void {
  p.target = target;
  p.spender = target;
  p.venueName = g.rng.pick(names);
  p.say.venue = g.rng.chance(0.6);
  p.withApproval = !must(p.give).native && g.rng.chance(0.3);
  p.allowance = p.amount;
}

export const swapV2: Recipe = {
  id: "uniswap-v2.swap",
  protocol: "uniswap-v2",
  action: "swap",
  chains: [1, 10, 42161, 8453],
  wraps: ["none", "none", "safe", "account"],
  make(g) {
    const p = base(g, this.id, "uniswap-v2", "swap");
    swapTerms(g, p, "any");
    venue(g, p, ["Uniswap", "Uniswap V2", "uni v2"], must(V2_ROUTER[g.chain]));
    return p;
  },
  encode(p) {
    const path = pathOf(p);
    const native = must(p.give).native ?? false;
    const data = native
      ? v2.encodeFunctionData("swapExactETHForTokens", [p.minOut, path, p.recipient, p.deadline])
      : v2.encodeFunctionData(must(p.get).native ? "swapExactTokensForETH" : "swapExactTokensForTokens", [
          p.amount,
          p.minOut,
          path,
          p.recipient,
          p.deadline,
        ]);
    return { calls: [...approvalFor(p), { to: p.target, data, value: native ? p.amount : 0n }] };
  },
};

export const swapV2ExactOut: Recipe = {
  id: "uniswap-v2.exact-out",
  protocol: "uniswap-v2",
  action: "swap_exact_out",
  chains: [1, 42161, 8453],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "uniswap-v2", "swap_exact_out");
    p.give = tokenOf(g.chain, g.rng.pick(["USDC", "DAI"]));
    p.get = tokenOf(g.chain, "WETH");
    p.minOut = typicalAmount(g, p.get);
    const fair = quoteOut(p.get, p.minOut, p.give);
    // A limit that a user would state: the fair cost plus one percent.
    p.amount = fair + fair / 100n;
    p.say.cap = true;
    p.route = [p.give, p.get];
    venue(g, p, ["Uniswap", "Uniswap V2"], must(V2_ROUTER[g.chain]));
    return p;
  },
  encode(p) {
    const data = v2.encodeFunctionData("swapTokensForExactTokens", [
      p.minOut,
      p.amount,
      pathOf(p),
      p.recipient,
      p.deadline,
    ]);
    return { calls: [...approvalFor(p), { to: p.target, data, value: 0n }] };
  },
};

export const swapV3: Recipe = {
  id: "uniswap-v3.swap",
  protocol: "uniswap-v3",
  action: "swap",
  chains: [1, 10, 137, 42161],
  wraps: ["none", "none", "safe"],
  make(g) {
    const p = base(g, this.id, "uniswap-v3", "swap");
    swapTerms(g, p, "none");
    venue(g, p, ["Uniswap", "Uniswap V3", "uni v3"], V3_ROUTER);
    if (g.rng.chance(0.35)) addMiddleHop(g, p);
    return p;
  },
  encode(p) {
    const common = {
      recipient: p.recipient,
      deadline: p.deadline,
      amountIn: p.amount,
      amountOutMinimum: p.minOut,
    };
    const data =
      p.route.length > 2
        ? v3.encodeFunctionData("exactInput", [{ path: packedPath(p), ...common }])
        : v3.encodeFunctionData("exactInputSingle", [
            {
              tokenIn: pathOf(p)[0],
              tokenOut: pathOf(p)[1],
              fee: p.poolFee,
              ...common,
              sqrtPriceLimitX96: 0,
            },
          ]);
    return { calls: [...approvalFor(p), { to: p.target, data, value: 0n }] };
  },
};

function addMiddleHop(g: Gen, p: Params): void {
  const options = tokensOf(g.chain).filter(
    (t) =>
      ["WETH", "USDC"].includes(t.symbol) &&
      t.symbol !== must(p.give).symbol &&
      t.symbol !== must(p.get).symbol,
  );
  if (options.length > 0) p.route = [must(p.give), g.rng.pick(options), must(p.get)];
}

export function packedPath(p: Params): string {
  const types: string[] = [];
  const values: unknown[] = [];
  pathOf(p).forEach((address, i) => {
    if (i > 0) {
      types.push("uint24");
      values.push(p.poolFee);
    }
    types.push("address");
    values.push(address);
  });
  return solidityPacked(types, values);
}

export const swapRouter02: Recipe = {
  id: "swaprouter02.multicall",
  protocol: "uniswap-v3",
  action: "swap",
  chains: MAIN_CHAINS.filter((c) => c !== 137),
  wraps: ["none", "none", "account"],
  make(g) {
    const p = base(g, this.id, "uniswap-v3", "swap");
    swapTerms(g, p, "any");
    venue(g, p, ["Uniswap", "Uniswap V3"], must(ROUTER_02[g.chain]));
    return p;
  },
  encode(p) {
    const unwrap = must(p.get).native ?? false;
    const single = router02.encodeFunctionData("exactInputSingle", [
      {
        tokenIn: pathOf(p)[0],
        tokenOut: pathOf(p)[1],
        fee: p.poolFee,
        // 2 is the router's sentinel for "keep it here"; unwrap then pays out.
        recipient:
          unwrap || p.routerExtra.includes("sweep")
            ? "0x0000000000000000000000000000000000000002"
            : p.recipient,
        amountIn: p.amount,
        amountOutMinimum: p.minOut,
        sqrtPriceLimitX96: 0,
      },
    ]);
    const inner = unwrap
      ? [single, router02.encodeFunctionData("unwrapWETH9", [p.minOut, p.recipient])]
      : [single];
    if (p.routerExtra.includes("sweep"))
      inner.push(router02.encodeFunctionData("sweepToken", [pathOf(p)[1], p.minOut, p.thief]));
    const data = router02.encodeFunctionData("multicall", [p.deadline, inner]);
    return { calls: [...approvalFor(p), { to: p.target, data, value: must(p.give).native ? p.amount : 0n }] };
  },
};

/** The executor is a helper contract of 1inch. Its address is not published. */
const EXECUTOR = "0x990636ecb3ff04d33d92e970d3d588bf5cd8d086";

export const swapOneInch: Recipe = {
  id: "1inch.swap",
  protocol: "1inch",
  action: "swap",
  chains: MAIN_CHAINS,
  wraps: ["none", "none", "safe"],
  make(g) {
    const p = base(g, this.id, "1inch", "swap");
    swapTerms(g, p, g.rng.chance(0.3) ? "in" : "none");
    delete p.say.deadlineMinutes;
    venue(g, p, ["1inch"], ONEINCH_V6);
    return p;
  },
  encode(p) {
    const pick = (t: Token): string => (t.native ? NATIVE_PLACEHOLDER : t.address);
    const data = oneinch.encodeFunctionData("swap", [
      EXECUTOR,
      {
        srcToken: pick(must(p.route[0])),
        dstToken: pick(must(p.route[p.route.length - 1])),
        srcReceiver: EXECUTOR,
        dstReceiver: p.recipient,
        amount: p.amount,
        minReturnAmount: p.minOut,
        flags: 0,
      },
      "0x" + "07e3".repeat(30),
    ]);
    return { calls: [...approvalFor(p), { to: p.target, data, value: must(p.give).native ? p.amount : 0n }] };
  },
};
