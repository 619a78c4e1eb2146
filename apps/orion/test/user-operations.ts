import { entryPoints, parseUserOperation, type UserOperation } from "@countersign/wire";
import { anAddress } from "./proposals.ts";

/** A user operation of a smart account that exists, without a paymaster. */
export const aUserOperation = (over: object = {}): UserOperation =>
  parseUserOperation({
    ...{ chainId: 1, entryPoint: entryPoints["0.8"], sender: anAddress(), nonce: 3, callData: "0xb61d27f6" },
    ...{ callGasLimit: 90_000, verificationGasLimit: 120_000, preVerificationGas: 50_000 },
    ...{ maxFeePerGas: "2000000000", maxPriorityFeePerGas: "1000000000" },
    ...over,
  });
