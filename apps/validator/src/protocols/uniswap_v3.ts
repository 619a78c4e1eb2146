/** Concentrated liquidity: two routers, which differ in details, and positions that are NFTs. */
import { defineProtocol } from "../protocol.ts";
import { createPool, mintByFee, positionExtras, positionFunctions } from "./shared/position-manager.ts";
import {
  boundMulticalls,
  extendedPayments,
  multicallFunction,
  paymentFunctions,
  selfPermits,
} from "./shared/router-payments.ts";
import { onChains } from "./shared/swap-draft.ts";
import { swapRouter02, v3Positions } from "./shared/uniswap-addresses.ts";
import { listedSwaps, swapsWithDeadline, swapsWithoutDeadline } from "./shared/v3-router.ts";

const all = ["router", "router02", "positions"];

export default defineProtocol({
  title: "Uniswap V3",
  names: [
    "uniswap",
    "uni",
    "uniswap v3",
    "uni v3",
    "univ3",
    "uniswapv3",
    "uniswap 3",
    "uniswap v3 router",
    "uniswap router",
    "swaprouter02",
    "swap router 02",
    "swaprouter",
    "swap router",
    "uniswap swaprouter02",
    "uniswap swaprouter",
    "uniswap swap router 02",
    "uniswap swap router",
    "uniswap v3 swaprouter02",
    "uniswap v3 swaprouter",
    "uniswap v3 swap router 02",
    "uniswap v3 swap router",
  ],
  family: "uniswap",
  contracts: {
    router: onChains("0xe592427a0aece92de3edee1f18e0157c05861564", [1, 10, 137, 42161]),
    router02: swapRouter02,
    positions: v3Positions,
  },
  functions: [
    ...swapsWithDeadline(["router"], "uint24 fee"),
    ...swapsWithoutDeadline(["router02"]),
    ...listedSwaps(["router02"]),
    createPool(["positions"]),
    mintByFee(["positions"]),
    ...positionFunctions(["positions"]),
    ...positionExtras(["positions"]),
    multicallFunction(all),
    ...boundMulticalls(["router02"]),
    ...paymentFunctions(all),
    ...extendedPayments(["router02"]),
    ...selfPermits(all),
  ],
});
