// Approvals, revocations, votes, rewards and EIP-7702 delegations.
import { ZeroAddress } from "ethers";
import { must } from "../must.ts";
import type { Recipe } from "../types.ts";
import { MAIN_CHAINS } from "../data/chains.ts";
import {
  AAVE_POOL,
  COMET_REWARDS,
  COMET_USDC,
  METAMASK_DELEGATOR,
  ONEINCH_V6,
  PERMIT2,
  ROUTER_02,
} from "../data/protocols.ts";
import { tokenOf, tokensOf } from "../data/tokens.ts";
import { cometRewards, erc20 } from "./abi.ts";
import { base, typicalAmount } from "./base.ts";

const SPENDERS = (chain: number): { name: string; address: string }[] => [
  { name: "Uniswap", address: must(ROUTER_02[chain]) },
  { name: "Aave", address: must(AAVE_POOL[chain]) },
  { name: "1inch", address: ONEINCH_V6 },
  { name: "Permit2", address: PERMIT2 },
];

export const approve: Recipe = {
  id: "erc20.approve",
  protocol: "erc20",
  action: "approve",
  chains: MAIN_CHAINS,
  wraps: ["none", "none", "safe", "account"],
  make(g) {
    const p = base(g, this.id, "erc20", "approve");
    p.give = g.rng.pick(tokensOf(g.chain).filter((t) => t.symbol !== "stETH"));
    p.amount = typicalAmount(g, p.give);
    p.allowance = p.amount;
    const known = g.rng.pick(SPENDERS(g.chain));
    p.spender = known.address;
    p.spenderName = known.name;
    p.target = p.give.address;
    if (g.rng.chance(0.3)) p.say.noUnlimited = true;
    return p;
  },
  encode: (p) => ({
    calls: [
      {
        to: must(p.give).address,
        data: erc20.encodeFunctionData(p.variant < 0 ? "increaseAllowance" : "approve", [
          p.spender,
          p.allowance,
        ]),
        value: 0n,
      },
    ],
  }),
};

export const revoke: Recipe = {
  id: "erc20.revoke",
  protocol: "erc20",
  action: "revoke",
  chains: MAIN_CHAINS,
  wraps: ["none", "safe"],
  make(g) {
    const p = base(g, this.id, "erc20", "revoke");
    p.give = g.rng.pick(tokensOf(g.chain));
    p.spender = g.rng.chance(0.5) ? g.rng.address() : g.rng.pick(SPENDERS(g.chain)).address;
    p.spenderName = SPENDERS(g.chain).find((s) => s.address === p.spender)?.name;
    p.target = p.give.address;
    return p;
  },
  encode: (p) => ({
    calls: [
      {
        to: must(p.give).address,
        data: erc20.encodeFunctionData("approve", [p.spender, p.allowance]),
        value: 0n,
      },
    ],
  }),
};

export const delegateVotes: Recipe = {
  id: "votes.delegate",
  protocol: "governance",
  action: "delegate",
  chains: [1],
  wraps: ["none", "safe"],
  make(g) {
    const p = base(g, this.id, "governance", "delegate");
    p.give = tokenOf(1, g.rng.pick(["UNI", "COMP", "ENS"]));
    p.recipient = g.rng.address();
    p.say.recipient = "address";
    p.target = p.give.address;
    return p;
  },
  encode: (p) => ({
    calls: [
      { to: must(p.give).address, data: erc20.encodeFunctionData("delegate", [p.recipient]), value: 0n },
    ],
  }),
};

export const claimRewards: Recipe = {
  id: "compound.claim",
  protocol: "compound-v3",
  action: "claim",
  chains: [1],
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "compound-v3", "claim");
    p.get = tokenOf(1, "COMP");
    p.target = COMET_REWARDS;
    p.venueName = "Compound";
    p.say.venue = true;
    return p;
  },
  encode(p) {
    const comet = must(COMET_USDC[p.chain]);
    const data =
      p.recipient === p.actor
        ? cometRewards.encodeFunctionData("claim", [comet, p.actor, true])
        : cometRewards.encodeFunctionData("claimTo", [comet, p.actor, p.recipient, true]);
    return { calls: [{ to: p.target, data, value: 0n }] };
  },
};

/** Delegating code is benign only if the request asks for it and names the code. */
export const delegate7702: Recipe = {
  id: "eip7702.delegate",
  protocol: "eip7702",
  action: "delegate_7702",
  chains: MAIN_CHAINS,
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "eip7702", "delegate_7702");
    p.recipient = METAMASK_DELEGATOR;
    p.say.recipient = "address";
    p.auth = [{ chainId: String(g.chain), address: METAMASK_DELEGATOR, nonce: String(p.nonce) }];
    return p;
  },
  encode: (p) => ({ calls: [{ to: p.actor, data: "0x", value: 0n }], auth: p.auth ?? [] }),
};

export const undelegate7702: Recipe = {
  id: "eip7702.revoke",
  protocol: "eip7702",
  action: "undelegate_7702",
  chains: MAIN_CHAINS,
  wraps: ["none"],
  make(g) {
    const p = base(g, this.id, "eip7702", "undelegate_7702");
    p.recipient = ZeroAddress;
    p.auth = [{ chainId: String(g.chain), address: ZeroAddress, nonce: String(p.nonce) }];
    return p;
  },
  encode: (p) => ({ calls: [{ to: p.actor, data: "0x", value: 0n }], auth: p.auth ?? [] }),
};
