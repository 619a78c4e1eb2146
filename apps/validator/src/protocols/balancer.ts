/** Balancer: the vault of V2, which holds every pool, and the routers of V3. */
import { atLeast, atMost, everything, exactly, token } from "../effects.ts";
import { defineProtocol, fn, type Draft, type ProtocolFunction } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
import { batchSwap } from "./shared/balancer-batch.ts";
import { faultsOf, fromInside, fundsUses, payerOf, STAYS_INSIDE } from "./shared/balancer-funds.ts";
import {
  exitUse,
  joinUse,
  poolChoice,
  poolIdUse,
  poolOf,
  sharesExited,
  sharesJoined,
} from "./shared/balancer-pools.ts";
import { balancerV3Functions } from "./shared/balancer-v3.ts";
import { assetAt, flow, lower, onChains, partyAt, swapDraft } from "./shared/swap-draft.ts";

const vault = ["vault"];

const single = fn(
  "function swap((bytes32 poolId, uint8 kind, address assetIn, address assetOut, uint256 amount, bytes userData) singleSwap, (address sender, bool fromInternalBalance, address recipient, bool toInternalBalance) funds, uint256 limit, uint256 deadline) payable",
  vault,
  {
    singleSwap: {
      // The vault itself pays out the output of a pool, and checks it against the limit.
      poolId: inert.bounded,
      kind: feeds.terms,
      assetIn: feeds.asset,
      assetOut: feeds.asset,
      amount: feeds.amount,
      userData: inert.bounded,
    },
    funds: fundsUses,
    limit: feeds.minimum,
    deadline: feeds.deadline,
  },
  ([s, funds, limit, deadline], call) => {
    if (s.kind > 1) throw new Error("the kind of swap is not known");
    const exactOut = s.kind === 1;
    const draft = swapDraft({
      gives: flow(
        assetAt(s.assetIn),
        exactOut ? atMost(limit) : exactly(s.amount),
        exactOut ? "limit" : "singleSwap.amount",
      ),
      gets: flow(
        assetAt(s.assetOut),
        exactOut ? exactly(s.amount) : atLeast(limit),
        exactOut ? "singleSwap.amount" : "limit",
      ),
      payer: payerOf(funds.sender, call),
      receiver: partyAt(funds.recipient, call),
      receiverAt: "funds.recipient",
      deadline: { until: deadline, at: "deadline" },
      terms: { ...(exactOut ? { exactOut: true } : {}), faults: faultsOf([s.poolId], funds) },
    });
    return { ...draft, choices: fromInside(funds.fromInternalBalance, "funds.fromInternalBalance") };
  },
);

const REQUEST = "address[] assets";

const join = fn(
  `function joinPool(bytes32 poolId, address sender, address recipient, (${REQUEST}, uint256[] maxAmountsIn, bytes userData, bool fromInternalBalance) request) payable`,
  vault,
  {
    poolId: poolIdUse,
    sender: feeds.payer,
    recipient: feeds.receiver,
    request: {
      assets: feedsWhen("asset", "some of it may be taken"),
      maxAmountsIn: feeds.amount,
      userData: joinUse,
      fromInternalBalance: feeds.choice,
    },
  },
  ([poolId, sender, recipient, request], call) => {
    if (request.assets.length !== request.maxAmountsIn.length)
      throw new Error("the numbers of amounts and assets differ");
    const gives = request.assets.flatMap((at, i) => {
      const most = request.maxAmountsIn[i] ?? 0n;
      return most === 0n ? [] : [flow(assetAt(at), atMost(most), `request.maxAmountsIn[${i}]`)];
    });
    const pool = poolOf(poolId, call);
    const shares = sharesJoined(request.userData, call);
    return {
      act: "add_liquidity",
      gives,
      gets: [flow(token(pool), shares, "request.userData")],
      payer: payerOf(sender, call),
      receiver: partyAt(recipient, call),
      choices: [
        poolChoice(pool, "poolId"),
        ...fromInside(request.fromInternalBalance, "request.fromInternalBalance"),
      ],
      terms: shares.least === shares.most ? { exactOut: true } : {},
      places: { receiver: "recipient", minimum: "request.userData" },
    };
  },
);

const exit = fn(
  `function exitPool(bytes32 poolId, address sender, address recipient, (${REQUEST}, uint256[] minAmountsOut, bytes userData, bool toInternalBalance) request)`,
  vault,
  {
    poolId: poolIdUse,
    sender: feeds.payer,
    recipient: feeds.receiver,
    request: {
      assets: feeds.asset,
      minAmountsOut: feeds.minimum,
      userData: exitUse,
      toInternalBalance: feeds.terms,
    },
  },
  ([poolId, sender, recipient, request], call) => {
    if (request.assets.length !== request.minAmountsOut.length)
      throw new Error("the numbers of amounts and assets differ");
    const pool = poolOf(poolId, call);
    return {
      act: "remove_liquidity",
      gives: [flow(token(pool), sharesExited(request.userData, call), "request.userData")],
      gets: request.assets.map((at, i) =>
        flow(assetAt(at), atLeast(request.minAmountsOut[i] ?? 0n), `request.minAmountsOut[${i}]`),
      ),
      payer: payerOf(sender, call),
      receiver: partyAt(recipient, call),
      choices: [poolChoice(pool, "poolId")],
      terms: request.toInternalBalance ? { faults: [STAYS_INSIDE] } : {},
      places: { receiver: "recipient", minimum: "request.minAmountsOut" },
    };
  },
);

/** A relayer may move anything that the account has approved to the vault. */
const relayer = fn(
  "function setRelayerApproval(address sender, address relayer, bool approved)",
  vault,
  { sender: feeds.payer, relayer: feeds.spender, approved: feeds.act },
  ([sender, spender, approved], call): Draft => ({
    act: approved ? "approve" : "revoke",
    payer: payerOf(sender, call),
    authority: {
      spender: lower(spender),
      asset: null,
      amount: approved ? everything : exactly(0n),
      at: "relayer",
    },
    places: { spender: "relayer", payer: "sender" },
  }),
);

const v2: readonly ProtocolFunction[] = [single, batchSwap, join, exit, relayer];

export default defineProtocol({
  title: "Balancer",
  names: ["balancer", "balancer v2", "balancer v3", "balancer vault"],
  contracts: {
    vault: onChains(
      "0xba12222222228d8ba445958a75a0704d566bf2c8",
      [1, 10, 56, 100, 137, 146, 8453, 42161, 43114, 11155111],
    ),
    router: {
      1: "0xae563e3f8219521950555f5962419c8919758ea2",
      10: "0xe2fa4e1d17725e72dcdafe943ecf45df4b9e285b",
      100: "0x4eff2d77d9ffbaefb4b141a3e494c085b3ff4cb5",
      8453: "0x3f170631ed9821ca51a59d996ab095162438dc10",
      42161: "0xeaedc32a51c510d35ebc11088fd5ff2b47aacf2e",
      43114: "0xf39ca6ede9bf7820a952b52f3c94af526bab9015",
      11155111: "0x5e315f96389c1aaf9324d97d3512ae1e0bf3c21a",
    },
    batch_router: {
      1: "0x136f1efcc3f8f88516b9e94110d56fdbfb1778d1",
      10: "0xad89051bed8d96f045e8912ae1672c6c0bf8a85e",
      100: "0xe2fa4e1d17725e72dcdafe943ecf45df4b9e285b",
      8453: "0x85a80afee867adf27b50bdb7b76da70f1e853062",
      42161: "0xad89051bed8d96f045e8912ae1672c6c0bf8a85e",
      43114: "0xc9b36096f5201ea332db35d6d195774ea0d5988f",
      11155111: "0xc85b652685567c1b074e8c0d4389f83a2e458b1c",
    },
  },
  functions: [...v2, ...balancerV3Functions],
});
