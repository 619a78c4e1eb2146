// Requests with two steps, in which order and completeness matter.
import { must } from "../must.ts";
import type { Call, Gen, Params, Payload, Recipe } from "../types.ts";
import { AAVE_POOL, V2_ROUTER } from "../data/protocols.ts";
import { nativeOf, tokenOf } from "../data/tokens.ts";
import { aave, erc20, v2, weth } from "./abi.ts";
import { base, quoteOut, typicalAmount, withSlippage } from "./base.ts";

/** Drops or reverses steps, if an attack asks for it. */
function ordered(p: Params, calls: Call[]): Call[] {
  if (p.steps === "last_missing") return calls.slice(0, -1);
  return p.steps === "reversed" ? [...calls].reverse() : calls;
}

const call = (to: string, data: string, value = 0n): Call => ({ to, data, value });

export const wrapThenSupply: Recipe = {
  id: "sequence.wrap-supply",
  protocol: "sequence",
  action: "wrap_supply",
  chains: [1, 10, 8453, 42161],
  wraps: ["none", "account"],
  make(g: Gen): Params {
    const p = base(g, "sequence.wrap-supply", "sequence", "wrap_supply");
    p.give = nativeOf(g.chain);
    p.get = tokenOf(g.chain, "WETH");
    p.amount = typicalAmount(g, p.give);
    p.allowance = p.amount;
    p.target = must(AAVE_POOL[g.chain]);
    p.spender = p.target;
    p.venueName = g.rng.pick(["Aave", "Aave v3"]);
    p.say.venue = true;
    return p;
  },
  encode(p: Params): Payload {
    const coin = tokenOf(p.chain, "WETH").address;
    const calls = [
      call(coin, weth.encodeFunctionData("deposit"), p.amount),
      call(coin, erc20.encodeFunctionData("approve", [p.spender, p.allowance])),
      call(p.target, aave.encodeFunctionData("supply", [coin, p.amount, p.recipient, 0])),
    ];
    return { calls: ordered(p, calls) };
  },
};

export const swapThenSend: Recipe = {
  id: "sequence.swap-send",
  protocol: "sequence",
  action: "swap_send",
  chains: [1, 8453, 42161],
  wraps: ["none", "account"],
  make(g: Gen): Params {
    const p = base(g, "sequence.swap-send", "sequence", "swap_send");
    p.give = tokenOf(g.chain, "WETH");
    p.get = tokenOf(g.chain, g.rng.pick(["USDC", "DAI"]));
    p.amount = typicalAmount(g, p.give);
    p.allowance = p.amount;
    p.quote = quoteOut(p.give, p.amount, p.get);
    p.minOut = withSlippage(p.quote, 50);
    // Sends a round part of the proceeds to a third party.
    const unit = 10n ** BigInt(p.get.decimals);
    p.split = { to: g.rng.address(), amount: (p.minOut / (unit * 20n)) * 10n * unit };
    p.target = must(V2_ROUTER[g.chain]);
    p.spender = p.target;
    p.venueName = "Uniswap";
    p.say.venue = true;
    return p;
  },
  encode(p: Params): Payload {
    const path = [must(p.give).address, must(p.get).address];
    const swap = [p.amount, p.minOut, path, p.recipient, p.deadline];
    const calls = [
      call(must(p.give).address, erc20.encodeFunctionData("approve", [p.spender, p.allowance])),
      call(p.target, v2.encodeFunctionData("swapExactTokensForTokens", swap)),
      call(
        must(p.get).address,
        erc20.encodeFunctionData("transfer", [must(p.split).to, must(p.split).amount]),
      ),
    ];
    return { calls: ordered(p, calls) };
  },
};
