/** PancakeSwap: the V2 router, a V3 router, the smart router that joins both, V3 positions, and a universal router. */
import { atLeast, atMost, everything, exactly, native, token } from "../effects.ts";
import { defineProtocol, fn, type CallView } from "../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert } from "../uses.ts";
import { createPool, mintByFee, positionExtras, positionFunctions } from "./shared/position-manager.ts";
import { firstDialect, planUses, readCommands } from "./shared/router-commands.ts";
import {
  boundMulticalls,
  extendedPayments,
  multicallFunction,
  paymentFunctions,
  selfPermits,
} from "./shared/router-payments.ts";
import { flow, lower, onChains, partyAt, swapDraft } from "./shared/swap-draft.ts";
import { v2RouterFunctions } from "./shared/v2-router.ts";
import { routeOf } from "./shared/v3-path.ts";
import {
  listedSwaps,
  paysCoin,
  secondStyle,
  swapsWithDeadline,
  swapsWithoutDeadline,
} from "./shared/v3-router.ts";

const periphery = ["v3_router", "smart_router", "positions"];
const smart = ["smart_router"];

type Stable = { readonly path: readonly string[]; readonly to: string; readonly at: string };

/** Pools of like assets, used by the same smart router. Flags select the pool and move no funds. */
const stable = (trade: Stable, call: CallView) => {
  const { first, last, path, faults } = routeOf(trade.path.map(lower));
  const receiver = partyAt(trade.to, call, secondStyle.marks);
  return { first, last, terms: { path, faults }, receiver, receiverAt: trade.at };
};

/** The flags select one of the exchange's own pools. */
const stableUses = { path: feedsAll("asset", "path"), flag: inert.bounded, to: feeds.receiver };

export default defineProtocol({
  title: "PancakeSwap",
  names: [
    "pancakeswap",
    "pancake",
    "pancake swap",
    "pcs",
    "pancakeswap v2",
    "pancakeswap v3",
    "pancake v2",
    "pancake v3",
  ],
  family: "pancakeswap",
  contracts: {
    router: {
      1: "0xeff92a263d31888d860bd50809a8d171709b7b1c",
      56: "0x10ed43c718714eb63d5aa57b78b54704e256024e",
      97: "0xd99d1c33f9fc3444f8101754abc46c52416550d1",
      324: "0x5aeaf2883fbf30f3d62471154eda3c0c1b05942d",
      ...onChains(
        "0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb",
        [204, 8453, 42161, 59144, 84532, 421614, 11155111],
      ),
    },
    v3_router: onChains("0x1b81d678ffb9c0263b24a97847620c99d213eb14", [1, 56, 8453, 42161, 59144]),
    smart_router: {
      ...onChains("0x13f4ea83d0bd40e75c8222255bc855a974568dd4", [1, 56]),
      97: "0x9a489505a00ce272eaa5e07dba6491314cae3796",
      324: "0xf8b59f3c3ab33200ec80a8a58b2aa5f5d2a8944c",
      42161: "0x32226588378236fd0c7c4053999f88ac0e5cac77",
      ...onChains("0x678aa4bf4e210cf2166753e054d5b7c31cc7fa86", [204, 8453, 59144, 84532, 421614, 11155111]),
    },
    positions: {
      324: "0xa815e2ed7f7d5b0c49fda367f249232a1b9d2883",
      ...onChains(
        "0x46a15b0b27311cedf172ab29e4f4766fbe7f4364",
        [1, 56, 204, 8453, 42161, 59144, 84532, 421614, 11155111],
      ),
    },
    universal_router: {
      1: "0x65b382653f7c31bc0af67f188122035461ec9c76",
      97: "0x87fd5305e6a40f378da124864b2d479c2028bd86",
      324: "0xdaee41e335322c85ff2c5a6745c98e1351806e98",
      11155111: "0x6a3d58cc25a92d90fa3a8f0f5d5e75ad01ccd7a6",
      ...onChains("0xd9c500dff816a1da21a48a732d3498bf09dc9aeb", [56, 8453]),
      ...onChains("0xfe6508f0015c778bdcc1fb5465ba5ebe224c9912", [42161, 59144, 84532, 421614]),
    },
  },
  functions: [
    ...v2RouterFunctions(["router"]),
    ...swapsWithDeadline(["v3_router"], "uint24 fee"),
    ...swapsWithoutDeadline(smart),
    ...listedSwaps(smart),
    createPool(["positions"]),
    mintByFee(["positions"]),
    ...positionFunctions(["positions"]),
    ...positionExtras(["positions"]),
    multicallFunction(periphery),
    ...boundMulticalls(smart),
    ...paymentFunctions(periphery),
    ...extendedPayments(smart),
    ...selfPermits(periphery),
    fn(
      "function exactInputStableSwap(address[] path, uint256[] flag, uint256 amountIn, uint256 amountOutMin, address to) payable",
      smart,
      { ...stableUses, amountIn: feeds.amount, amountOutMin: feeds.minimum },
      ([path, , amountIn, least, to], call) => {
        const { first, last, ...rest } = stable({ path, to, at: "to" }, call);
        const held = amountIn === 0n;
        return swapDraft({
          ...rest,
          gives: flow(
            paysCoin(first, amountIn, call) ? native : token(first),
            held ? everything : exactly(amountIn),
            "amountIn",
          ),
          gets: flow(token(last), atLeast(least), "amountOutMin"),
          ...(held ? { payer: "venue" } : {}),
        });
      },
    ),
    fn(
      "function exactOutputStableSwap(address[] path, uint256[] flag, uint256 amountOut, uint256 amountInMax, address to) payable",
      smart,
      { ...stableUses, amountOut: feeds.minimum, amountInMax: feeds.amount },
      ([path, , out, most, to], call) => {
        const { first, last, terms, ...rest } = stable({ path, to, at: "to" }, call);
        return swapDraft({
          ...rest,
          gives: flow(token(first), atMost(most), "amountInMax"),
          gets: flow(token(last), exactly(out), "amountOut"),
          terms: { ...terms, exactOut: true },
        });
      },
    ),
    fn(
      "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable",
      ["universal_router"],
      { ...planUses(firstDialect), deadline: feedsWhen("deadline", "a step has none of its own") },
      ([commands, inputs, deadline], call) => {
        const { effects = [] } = readCommands({ commands, inputs, at: "", depth: 0 }, firstDialect, call);
        return effects.map((draft) => ({
          deadline,
          ...draft,
          places: { deadline: "deadline", ...draft.places },
        }));
      },
    ),
    fn(
      "function execute(bytes commands, bytes[] inputs) payable",
      ["universal_router"],
      planUses(firstDialect),
      ([commands, inputs], call) => readCommands({ commands, inputs, at: "", depth: 0 }, firstDialect, call),
    ),
  ],
});
