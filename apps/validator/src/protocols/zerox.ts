/** 0x: the older exchange proxy, and the settlers of today with the contract that holds allowances for them. */
import { decodeBlob } from "../bytes/decode.ts";
import {
  atLeast,
  everything,
  exactly,
  native,
  unsaid,
  MAX_UINT,
  type Amount,
  type Asset,
} from "../effects.ts";
import type { Hex } from "../proposal.ts";
import {
  defineProtocol,
  fn,
  type CallView,
  type Draft,
  type DraftFlow,
  type ProtocolFunction,
} from "../protocol.ts";
import { assetAt, flow, lower, onChains, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";
import { readV3Path, routeOf } from "./shared/v3-path.ts";
import { settlersOn } from "./shared/zerox-settlers.ts";

const SETTLED = [1, 10, 56, 130, 137, 8453, 42161, 43114, 59144, 11155111];
const settlers = settlersOn(SETTLED);

type Trade = {
  readonly from: Asset;
  readonly into: Asset;
  readonly amount: bigint;
  readonly least: bigint;
  readonly to?: string;
  readonly names?: readonly [amount: string, least: string];
};

/** The largest number is the proxy's word for all the caller has. */
const soldAmount = (amount: bigint): Amount => (amount === MAX_UINT ? everything : exactly(amount));

const trade = (t: Trade, call: CallView): Draft => {
  const [amountAt, leastAt] = t.names ?? ["sellAmount", "minBuyAmount"];
  return swapDraft({
    gives: flow(t.from, soldAmount(t.amount), t.from.kind === "native" ? "value" : amountAt),
    gets: flow(t.into, atLeast(t.least), leastAt),
    receiver: t.to === undefined ? call.sender : partyAt(t.to, call, { sender: ZERO_ADDRESS }),
    ...(t.to === undefined ? {} : { receiverAt: "recipient" }),
  });
};

const listed = (tokens: readonly string[]): readonly [Asset, Asset] => {
  const { first, last } = routeOf(tokens.map(lower));
  return [assetAt(first), assetAt(last)];
};

const packed = (path: Hex): readonly [Asset, Asset] => listed(readV3Path(path).tokens);

const proxy = ["exchange_proxy"];

const pairSells: readonly ProtocolFunction[] = [
  fn(
    "function transformERC20(address inputToken, address outputToken, uint256 inputTokenAmount, uint256 minOutputTokenAmount, (uint32 deploymentNonce, bytes data)[] transformations) payable",
    proxy,
    ([from, into, amount, least], call) =>
      trade(
        {
          from: assetAt(from),
          into: assetAt(into),
          amount,
          least,
          names: ["inputTokenAmount", "minOutputTokenAmount"],
        },
        call,
      ),
  ),
  fn(
    "function sellToUniswap(address[] tokens, uint256 sellAmount, uint256 minBuyAmount, bool isSushi) payable",
    proxy,
    ([tokens, amount, least], call) => {
      const [from, into] = listed(tokens);
      return trade({ from, into, amount, least }, call);
    },
  ),
  fn(
    "function sellToPancakeSwap(address[] tokens, uint256 sellAmount, uint256 minBuyAmount, uint8 fork) payable",
    proxy,
    ([tokens, amount, least], call) => {
      const [from, into] = listed(tokens);
      return trade({ from, into, amount, least }, call);
    },
  ),
  fn(
    "function sellToLiquidityProvider(address inputToken, address outputToken, address provider, address recipient, uint256 sellAmount, uint256 minBuyAmount, bytes auxiliaryData) payable",
    proxy,
    ([from, into, , to, amount, least], call) =>
      trade({ from: assetAt(from), into: assetAt(into), amount, least, to }, call),
  ),
];

const v3Sells: readonly ProtocolFunction[] = [
  fn(
    "function sellTokenForTokenToUniswapV3(bytes encodedPath, uint256 sellAmount, uint256 minBuyAmount, address recipient)",
    proxy,
    ([path, amount, least, to], call) => {
      const [from, into] = packed(path);
      return trade({ from, into, amount, least, to }, call);
    },
  ),
  fn(
    "function sellTokenForEthToUniswapV3(bytes encodedPath, uint256 sellAmount, uint256 minBuyAmount, address recipient)",
    proxy,
    ([path, amount, least, to], call) =>
      trade({ from: packed(path)[0], into: native, amount, least, to }, call),
  ),
  fn(
    "function sellEthForTokenToUniswapV3(bytes encodedPath, uint256 minBuyAmount, address recipient) payable",
    proxy,
    ([path, least, to], call) =>
      trade({ from: native, into: packed(path)[1], amount: call.value, least, to }, call),
  ),
];

const BATCH = "(uint8 id, uint256 sellAmount, bytes data)[] calls";
const HOPS = "(uint8 id, bytes data)[] calls";

const multiplex: readonly ProtocolFunction[] = [
  fn(
    `function multiplexBatchSellTokenForToken(address inputToken, address outputToken, ${BATCH}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
    ([from, into, , amount, least], call) =>
      trade({ from: assetAt(from), into: assetAt(into), amount, least }, call),
  ),
  fn(
    `function multiplexBatchSellEthForToken(address outputToken, ${BATCH}, uint256 minBuyAmount) payable`,
    proxy,
    ([into, , least], call) => trade({ from: native, into: assetAt(into), amount: call.value, least }, call),
  ),
  fn(
    `function multiplexBatchSellTokenForEth(address inputToken, ${BATCH}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
    ([from, , amount, least], call) => trade({ from: assetAt(from), into: native, amount, least }, call),
  ),
  fn(
    `function multiplexMultiHopSellTokenForToken(address[] tokens, ${HOPS}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
    ([tokens, , amount, least], call) => {
      const [from, into] = listed(tokens);
      return trade({ from, into, amount, least }, call);
    },
  ),
  fn(
    `function multiplexMultiHopSellEthForToken(address[] tokens, ${HOPS}, uint256 minBuyAmount) payable`,
    proxy,
    ([tokens, , least], call) =>
      trade({ from: native, into: listed(tokens)[1], amount: call.value, least }, call),
  ),
  fn(
    `function multiplexMultiHopSellTokenForEth(address[] tokens, ${HOPS}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
    ([tokens, , amount, least], call) =>
      trade({ from: listed(tokens)[0], into: native, amount, least }, call),
  ),
];

const SLIPPAGE = "(address recipient, address buyToken, uint256 minAmountOut) slippage";
const SETTLER_EXECUTE = "0x1fff991f";
const TRANSFER_FROM = "0xc1fb425e";

type Slippage = { readonly recipient: string; readonly buyToken: string; readonly minAmountOut: bigint };

const settle = (gives: DraftFlow, slippage: Slippage, call: CallView, at: string): Draft =>
  swapDraft({
    gives,
    gets: flow(assetAt(slippage.buyToken), atLeast(slippage.minAmountOut), `${at}slippage.minAmountOut`),
    receiver: partyAt(slippage.recipient, call, { sender: ZERO_ADDRESS }),
    receiverAt: `${at}slippage.recipient`,
  });

type Permit = { readonly permitted: { readonly token: string; readonly amount: bigint } };

/** What a settler takes: the coin sent along, or what the caller's signature permits, which the first action presents. */
const taken = (actions: readonly Hex[], call: CallView): DraftFlow => {
  if (call.value > 0n) return flow(native, exactly(call.value), "value");
  const first = actions[0] ?? "0x";
  if (!first.startsWith(TRANSFER_FROM)) {
    return flow(
      unsaid("what the settler's actions take, which they do not say in the open"),
      { least: 0n, most: MAX_UINT },
      "actions",
    );
  }
  const form =
    "address recipient, ((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, bytes sig";
  const [, permit] = decodeBlob(form, `0x${first.slice(10)}`) as unknown as readonly [string, Permit, Hex];
  return flow(assetAt(permit.permitted.token), exactly(permit.permitted.amount), "actions[0]");
};

const isSettler = (address: string, chain: number): boolean =>
  settlers[chain]?.includes(lower(address)) === true;

/** The allowance lasts for this call only, but whoever is named may use all of it: it has to be a settler. */
const exec = fn(
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable",
  ["allowance_holder"],
  ([operator, from, amount, target, data], call) => {
    if (!isSettler(operator, call.chain) || lower(operator) !== lower(target)) {
      throw new Error("the allowance is lent to a contract that is no settler");
    }
    if (!data.startsWith(SETTLER_EXECUTE)) throw new Error("the settler is not asked for a swap");
    const form = `${SLIPPAGE}, bytes[] actions, bytes32 zid`;
    const [slippage] = decodeBlob(form, `0x${data.slice(10)}`) as unknown as readonly [Slippage];
    const coin = call.value > 0n;
    return settle(
      flow(coin ? native : assetAt(from), exactly(coin ? call.value : amount), coin ? "value" : "amount"),
      slippage,
      call,
      "data.",
    );
  },
);

const CANCUN = [1, 10, 56, 130, 137, 146, 480, 8453, 42161, 43114, 57073, 59144, 80094, 534352, 11155111];

export default defineProtocol({
  title: "0x",
  names: ["0x", "0x protocol", "0x exchange", "0x api", "0x swap", "matcha", "matcha.xyz", "0x settler"],
  family: "0x",
  contracts: {
    exchange_proxy: {
      10: "0xdef1abe32c034e558cdd535791643c58a13acc10",
      250: "0xdef189deaef76e379df891899eb5a00a94cbc250",
      ...onChains(
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
        [1, 56, 137, 8453, 42161, 42220, 43114, 11155111],
      ),
    },
    allowance_holder: onChains("0x0000000000001ff3684f28c67538d4d072c22734", CANCUN),
    settler: settlers,
  },
  functions: [
    ...pairSells,
    ...v3Sells,
    ...multiplex,
    fn(
      `function execute(${SLIPPAGE}, bytes[] actions, bytes32 zid) payable`,
      ["settler"],
      ([slippage, actions], call) => settle(taken(actions, call), slippage, call, ""),
    ),
    exec,
  ],
});
