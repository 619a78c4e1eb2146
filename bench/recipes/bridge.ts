// Across deposits. The relayer's fee is the difference between input and output.
import { ZeroAddress } from "ethers";
import { must } from "../must.ts";
import type { Call, Recipe } from "../types.ts";
import { SPOKE_POOL } from "../data/protocols.ts";
import { nativeOf, tokenOf } from "../data/tokens.ts";
import { erc20, spoke } from "./abi.ts";
import { base, typicalAmount } from "./base.ts";

const CHAINS = Object.keys(SPOKE_POOL).map(Number);

export const acrossDeposit: Recipe = {
  id: "across.deposit",
  protocol: "across",
  action: "bridge",
  chains: CHAINS,
  wraps: ["none", "none", "safe"],
  make(g) {
    const p = base(g, this.id, "across", "bridge");
    const symbol = g.rng.pick(["USDC", "WETH", "ETH"]);
    p.give = symbol === "ETH" ? nativeOf(g.chain) : tokenOf(g.chain, symbol);
    p.amount = typicalAmount(g, p.give);
    p.dstChain = g.rng.pick(CHAINS.filter((c) => c !== g.chain));
    p.dstToken = tokenOf(p.dstChain, symbol === "ETH" ? "WETH" : symbol).address;
    p.minOut = p.amount - (p.amount * BigInt(g.rng.int(3, 20))) / 10_000n;
    p.target = must(SPOKE_POOL[g.chain]);
    p.spender = p.target;
    p.allowance = p.amount;
    p.withApproval = symbol !== "ETH" && g.rng.chance(0.4);
    p.venueName = "Across";
    p.say.venue = g.rng.chance(0.7);
    p.deadline = BigInt(g.now + 4 * 3600);
    return p;
  },
  encode(p) {
    const input = must(p.give).native ? tokenOf(p.chain, "WETH").address : must(p.give).address;
    const data = spoke.encodeFunctionData("depositV3", [
      p.actor,
      p.recipient,
      input,
      p.dstToken,
      p.amount,
      p.minOut,
      p.dstChain,
      ZeroAddress,
      p.now - 30,
      p.deadline,
      0,
      "0x",
    ]);
    const calls: Call[] = [{ to: p.target, data, value: must(p.give).native ? p.amount : 0n }];
    if (p.withApproval)
      calls.unshift({
        to: must(p.give).address,
        data: erc20.encodeFunctionData("approve", [p.spender, p.allowance]),
        value: 0n,
      });
    return { calls };
  },
};
