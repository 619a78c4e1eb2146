// Liquid staking and wrapping of the chain's own coin.
import { ZeroAddress } from "ethers";
import type { Call, Params, Recipe } from "../types.ts";
import { ALL_CHAINS } from "../data/chains.ts";
import { LIDO_QUEUE, ROCKET_DEPOSIT } from "../data/protocols.ts";
import { nativeOf, tokenOf } from "../data/tokens.ts";
import { lido, rocket, weth } from "./abi.ts";
import { base, typicalAmount } from "./base.ts";

export const lidoStake: Recipe = {
  id: "lido.stake",
  protocol: "lido",
  action: "stake",
  chains: [1],
  wraps: ["none", "none", "safe"],
  make(g) {
    const p = base(g, this.id, "lido", "stake");
    p.give = nativeOf(1);
    p.get = tokenOf(1, "stETH");
    p.amount = typicalAmount(g, p.give);
    p.target = p.get.address;
    p.venueName = "Lido";
    p.say.venue = true;
    return p;
  },
  encode: (p) => ({
    calls: [{ to: p.target, data: lido.encodeFunctionData("submit", [ZeroAddress]), value: p.amount }],
  }),
};

export const lidoUnstake: Recipe = {
  id: "lido.unstake",
  protocol: "lido",
  action: "unstake",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "lido", "unstake");
    p.give = tokenOf(1, "stETH");
    p.amount = typicalAmount(g, p.give);
    p.target = LIDO_QUEUE;
    p.venueName = "Lido";
    p.say.venue = true;
    return p;
  },
  encode: (p) => ({
    calls: [
      {
        to: p.target,
        data: lido.encodeFunctionData("requestWithdrawals", [[p.amount], p.recipient]),
        value: 0n,
      },
    ],
  }),
};

export const rocketStake: Recipe = {
  id: "rocketpool.stake",
  protocol: "rocketpool",
  action: "stake",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "rocketpool", "stake");
    p.give = nativeOf(1);
    p.get = tokenOf(1, "rETH");
    p.amount = typicalAmount(g, p.give);
    p.target = ROCKET_DEPOSIT;
    p.venueName = "Rocket Pool";
    p.say.venue = true;
    return p;
  },
  encode: (p) => ({ calls: [{ to: p.target, data: rocket.encodeFunctionData("deposit"), value: p.amount }] }),
};

export const rocketUnstake: Recipe = {
  id: "rocketpool.unstake",
  protocol: "rocketpool",
  action: "unstake",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "rocketpool", "unstake");
    p.give = tokenOf(1, "rETH");
    p.amount = typicalAmount(g, p.give);
    p.target = p.give.address;
    p.venueName = "Rocket Pool";
    p.say.venue = true;
    return p;
  },
  encode: (p) => ({
    calls: [{ to: p.target, data: rocket.encodeFunctionData("burn", [p.amount]), value: 0n }],
  }),
};

export const wrapEther: Recipe = {
  id: "weth.wrap",
  protocol: "weth",
  action: "wrap",
  chains: ALL_CHAINS.filter((c) => c !== 137),
  wraps: ["none", "none", "safe", "erc7821"],
  make(g) {
    const p = base(g, this.id, "weth", "wrap");
    p.give = nativeOf(g.chain);
    p.get = tokenOf(g.chain, "WETH");
    p.amount = typicalAmount(g, p.give);
    p.target = p.get.address;
    return p;
  },
  encode: encodeWeth,
};

export const unwrapEther: Recipe = {
  ...wrapEther,
  id: "weth.unwrap",
  action: "unwrap",
  make(g) {
    const p = base(g, this.id, "weth", "unwrap");
    p.give = tokenOf(g.chain, "WETH");
    p.get = nativeOf(g.chain);
    p.amount = typicalAmount(g, p.give);
    p.target = p.give.address;
    return p;
  },
};

function encodeWeth(p: Params): { calls: Call[] } {
  const wrap = p.action === "wrap";
  const data = wrap ? weth.encodeFunctionData("deposit") : weth.encodeFunctionData("withdraw", [p.amount]);
  return { calls: [{ to: p.target, data, value: wrap ? p.amount : 0n }] };
}
