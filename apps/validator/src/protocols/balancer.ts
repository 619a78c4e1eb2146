/** Balancer: the vault of V2, which holds every pool, and the routers of V3. */
import { atLeast, atMost, everything, exactly, sameAsset, type Asset, type Party } from "../effects.ts";
import {
  defineProtocol,
  fn,
  type CallView,
  type Draft,
  type DraftFlow,
  type ProtocolFunction,
} from "../protocol.ts";
import { poolToken, sharesExited, sharesJoined } from "./shared/balancer-pools.ts";
import { balancerV3Functions } from "./shared/balancer-v3.ts";
import { assetAt, flow, lower, onChains, partyAt, swapDraft } from "./shared/swap-draft.ts";

const ZERO_POOL = `0x${"00".repeat(32)}`;
const vault = ["vault"];

type Funds = {
  readonly sender: string;
  readonly fromInternalBalance: boolean;
  readonly recipient: string;
  readonly toInternalBalance: boolean;
};

const payerOf = (address: string, call: CallView): Party =>
  call.isSelf?.(lower(address)) === true ? call.sender : lower(address);

const faultsOf = (pools: readonly string[], funds: Funds): readonly string[] => [
  ...(pools.some((id) => id === ZERO_POOL) ? ["a pool's id is zero"] : []),
  ...(funds.toInternalBalance ? ["what comes out stays inside the vault"] : []),
];

const single = fn(
  "function swap((bytes32 poolId, uint8 kind, address assetIn, address assetOut, uint256 amount, bytes userData) singleSwap, (address sender, bool fromInternalBalance, address recipient, bool toInternalBalance) funds, uint256 limit, uint256 deadline) payable",
  vault,
  ([s, funds, limit, deadline], call) => {
    if (s.kind > 1) throw new Error("the swap is of no known kind");
    const exactOut = s.kind === 1;
    return swapDraft({
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
  },
);

type Limited = { readonly asset: Asset; readonly limit: bigint; readonly at: string };

/** A positive limit is the most that leaves, a negative one the least that arrives. */
const batchFlows = (assets: readonly string[], limits: readonly bigint[]) => {
  if (assets.length !== limits.length) throw new Error("there are not as many limits as assets");
  const all: readonly Limited[] = assets.map((at, i) => ({
    asset: assetAt(at),
    limit: limits[i] ?? 0n,
    at: `limits[${i}]`,
  }));
  const gives = all
    .filter(({ limit }) => limit > 0n)
    .map((each) => flow(each.asset, atMost(each.limit), each.at));
  const gets = all
    .filter(({ limit }) => limit < 0n)
    .map((each) => flow(each.asset, atLeast(-each.limit), each.at));
  return { gives, gets };
};

type Step = {
  readonly poolId: string;
  readonly assetInIndex: bigint;
  readonly assetOutIndex: bigint;
  readonly amount: bigint;
};

/** With no limit that promises anything, the last asset reached is what comes out, unprotected. */
const unpromised = (
  steps: readonly Step[],
  assets: readonly string[],
  exactOut: boolean,
): readonly DraftFlow[] => {
  const end = exactOut ? steps[0] : steps.at(-1);
  const out = end === undefined ? undefined : assets[Number(end.assetOutIndex)];
  if (out === undefined) throw new Error("the steps name an asset that is not listed");
  return [flow(assetAt(out), atLeast(0n), "limits")];
};

/** With an exact input the limit may be wider than what is given, and what is given is what counts. */
const sharpen = (
  gives: readonly DraftFlow[],
  steps: readonly Step[],
  assets: readonly string[],
): readonly DraftFlow[] => {
  const [only] = gives;
  if (gives.length !== 1 || only === undefined) return gives;
  const paying = steps.filter(({ amount }) => amount > 0n);
  const given = paying.reduce((sum, { amount }) => sum + amount, 0n);
  const same = paying.every(({ assetInIndex }) => {
    const at = assets[Number(assetInIndex)];
    return at !== undefined && sameAsset(assetAt(at), only.asset);
  });
  return same && given > 0n && given <= only.amount.most ? [{ ...only, amount: exactly(given) }] : gives;
};

const batch = fn(
  "function batchSwap(uint8 kind, (bytes32 poolId, uint256 assetInIndex, uint256 assetOutIndex, uint256 amount, bytes userData)[] swaps, address[] assets, (address sender, bool fromInternalBalance, address recipient, bool toInternalBalance) funds, int256[] limits, uint256 deadline) payable",
  vault,
  ([kind, steps, assets, funds, limits, deadline], call) => {
    const exactOut = kind === 1;
    const { gives, gets } = batchFlows(assets, limits);
    const faults = faultsOf(
      steps.map(({ poolId }) => poolId),
      funds,
    );
    return {
      act: "swap",
      gives: exactOut ? gives : sharpen(gives, steps, assets),
      gets: gets.length > 0 ? gets : unpromised(steps, assets, exactOut),
      payer: payerOf(funds.sender, call),
      receiver: partyAt(funds.recipient, call),
      deadline,
      terms: { ...(exactOut ? { exactOut: true } : {}), ...(faults.length > 0 ? { faults } : {}) },
      places: { receiver: "funds.recipient", minimum: "limits", deadline: "deadline" },
    };
  },
);

const REQUEST = "address[] assets";

const join = fn(
  `function joinPool(bytes32 poolId, address sender, address recipient, (${REQUEST}, uint256[] maxAmountsIn, bytes userData, bool fromInternalBalance) request) payable`,
  vault,
  ([poolId, sender, recipient, request], call) => {
    const gives = request.assets.flatMap((at, i) => {
      const most = request.maxAmountsIn[i] ?? 0n;
      return most === 0n ? [] : [flow(assetAt(at), atMost(most), `request.maxAmountsIn[${i}]`)];
    });
    const shares = sharesJoined(request.userData);
    return {
      act: "add_liquidity",
      gives,
      gets: [flow(poolToken(poolId), shares, "request.userData")],
      payer: payerOf(sender, call),
      receiver: partyAt(recipient, call),
      terms: {
        ...(poolId === ZERO_POOL ? { faults: ["the pool's id is zero"] } : {}),
        ...(shares.least === shares.most ? { exactOut: true } : {}),
      },
      places: { receiver: "recipient", minimum: "request.userData" },
    };
  },
);

const exit = fn(
  `function exitPool(bytes32 poolId, address sender, address recipient, (${REQUEST}, uint256[] minAmountsOut, bytes userData, bool toInternalBalance) request)`,
  vault,
  ([poolId, sender, recipient, request], call) => ({
    act: "remove_liquidity",
    gives: [flow(poolToken(poolId), sharesExited(request.userData), "request.userData")],
    gets: request.assets.map((at, i) =>
      flow(assetAt(at), atLeast(request.minAmountsOut[i] ?? 0n), `request.minAmountsOut[${i}]`),
    ),
    payer: payerOf(sender, call),
    receiver: partyAt(recipient, call),
    terms: {
      ...(poolId === ZERO_POOL ? { faults: ["the pool's id is zero"] } : {}),
    },
    places: { receiver: "recipient", minimum: "request.minAmountsOut" },
  }),
);

/** A relayer may move anything the account has approved to the vault. */
const relayer = fn(
  "function setRelayerApproval(address sender, address relayer, bool approved)",
  vault,
  ([, spender, approved]): Draft => ({
    act: approved ? "approve" : "revoke",
    authority: {
      spender: lower(spender),
      asset: null,
      amount: approved ? everything : exactly(0n),
      at: "relayer",
    },
    places: { spender: "relayer" },
  }),
);

const v2: readonly ProtocolFunction[] = [single, batch, join, exit, relayer];

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
