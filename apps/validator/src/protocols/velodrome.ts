/** The exchange of Optimism: stable and volatile pools behind one router, concentrated liquidity behind another. */
import { defineProtocol } from "../protocol.ts";
import { mintByTickSpacing, positionExtras, positionFunctions } from "./shared/position-manager.ts";
import { multicallFunction, paymentFunctions, selfPermits } from "./shared/router-payments.ts";
import { solidlyFunctions } from "./shared/solidly-router.ts";
import { swapsWithDeadline } from "./shared/v3-router.ts";

const periphery = ["cl_router", "positions"];

export default defineProtocol({
  title: "Velodrome",
  names: ["velodrome", "velo", "velodrome finance", "velodrome v2", "velodrome slipstream"],
  contracts: {
    router: { 10: "0xa062ae8a9c5e11aaa026fc2670b0d65ccc8b2858" },
    cl_router: { 10: "0x0792a633f0c19c351081cf4b211f68f79bcc9676" },
    positions: {
      10: ["0x416b433906b1b72fa758e166e239c43d68dc6f29", "0xbb5dfe1380333cee4c2eebd7202c80de2256adf4"],
    },
  },
  functions: [
    ...solidlyFunctions({ on: ["router"], factory: { 10: "0xf1046053aa5682b4f9a81b5481394da16be5ff5a" } }),
    ...swapsWithDeadline(["cl_router"], "int24 tickSpacing"),
    mintByTickSpacing(["positions"]),
    ...positionFunctions(["positions"]),
    ...positionExtras(["positions"]),
    multicallFunction(periphery),
    ...paymentFunctions(periphery),
    ...selfPermits(periphery),
  ],
});
