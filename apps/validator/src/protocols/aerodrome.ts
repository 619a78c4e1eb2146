/** The exchange of Base: stable and volatile pools behind one router, concentrated liquidity behind another. */
import { defineProtocol } from "../protocol.ts";
import { mintByTickSpacing, positionExtras, positionFunctions } from "./shared/position-manager.ts";
import { multicallFunction, paymentFunctions, selfPermits } from "./shared/router-payments.ts";
import { solidlyFunctions } from "./shared/solidly-router.ts";
import { swapsWithDeadline } from "./shared/v3-router.ts";

const periphery = ["cl_router", "positions"];

export default defineProtocol({
  title: "Aerodrome",
  names: ["aerodrome", "aero", "aerodrome finance", "aerodrome slipstream"],
  contracts: {
    router: { 8453: "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43" },
    cl_router: { 8453: "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5" },
    positions: { 8453: "0x827922686190790b37229fd06084350e74485b72" },
  },
  functions: [
    ...solidlyFunctions({ on: ["router"], factory: { 8453: "0x420dd381b31aef6683db6b902084cb0ffece40da" } }),
    ...swapsWithDeadline(["cl_router"], "int24 tickSpacing"),
    mintByTickSpacing(["positions"]),
    ...positionFunctions(["positions"]),
    ...positionExtras(["positions"]),
    multicallFunction(periphery),
    ...paymentFunctions(periphery),
    ...selfPermits(periphery),
  ],
});
