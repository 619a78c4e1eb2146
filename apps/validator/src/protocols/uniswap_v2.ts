/** The first widely used exchange of pairs. Each chain has one deployment of its router. */
import { defineProtocol } from "../protocol.ts";
import { v2Router } from "./shared/uniswap-addresses.ts";
import { v2RouterFunctions } from "./shared/v2-router.ts";

export default defineProtocol({
  title: "Uniswap V2",
  names: [
    "uniswap",
    "uni",
    "uniswap v2",
    "uni v2",
    "univ2",
    "uniswapv2",
    "uniswap 2",
    "uniswap v2 router",
    "uniswap router",
  ],
  family: "uniswap",
  contracts: { router: v2Router },
  functions: v2RouterFunctions(["router"]),
});
