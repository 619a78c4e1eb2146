// The protocols' own SDKs, loaded as CommonJS because their ES builds do not load in Node. Only the parts that the recipes
// use are typed.
import { createRequire } from "node:module";
import type { TypedData } from "../types.ts";

const require = createRequire(import.meta.url);

type PermitData = {
  domain: { chainId?: unknown; [field: string]: unknown };
  types: TypedData["types"];
  values: object;
};
type PermitBuilder = {
  getPermitData(permit: object, permit2: string, chain: number, witness?: object): PermitData;
};

type Command =
  | "WRAP_ETH"
  | "UNWRAP_WETH"
  | "V2_SWAP_EXACT_IN"
  | "V3_SWAP_EXACT_IN"
  | "V4_SWAP"
  | "PAY_PORTION"
  | "PERMIT2_TRANSFER_FROM"
  | "SWEEP"
  | "TRANSFER";
type Action = "SWAP_EXACT_IN_SINGLE" | "SETTLE_ALL" | "TAKE_ALL" | "TAKE";

/** Collects router commands and their encoded inputs. */
export type Plan = {
  commands: string;
  inputs: string[];
  addCommand(type: unknown, parameters: unknown[]): unknown;
  addSubPlan(plan: Plan): unknown;
};

export const { UNIVERSAL_ROUTER_ADDRESS, RoutePlanner, CommandType } =
  require("@uniswap/universal-router-sdk") as {
    UNIVERSAL_ROUTER_ADDRESS: (version: string, chain: number) => string;
    RoutePlanner: new () => Plan;
    CommandType: Record<Command, unknown>;
  };

export const { V2_ROUTER_ADDRESSES, SWAP_ROUTER_02_ADDRESSES } = require("@uniswap/sdk-core") as {
  V2_ROUTER_ADDRESSES: Record<number, string>;
  SWAP_ROUTER_02_ADDRESSES: (chain: number) => string;
};

export const { V4Planner, Actions } = require("@uniswap/v4-sdk") as {
  V4Planner: new () => { addAction(type: unknown, parameters: unknown[]): unknown; finalize(): string };
  Actions: Record<Action, unknown>;
};

export const { AllowanceTransfer, SignatureTransfer } = require("@uniswap/permit2-sdk") as {
  AllowanceTransfer: PermitBuilder;
  SignatureTransfer: PermitBuilder;
};

export const { UnsignedV2DutchOrder } = require("@uniswap/uniswapx-sdk") as {
  UnsignedV2DutchOrder: new (info: object, chain: number, permit2: string) => { permitData(): PermitData };
};

export const { BigNumber } = require("@ethersproject/bignumber") as {
  BigNumber: { from(value: string): unknown };
};

export const { EIP_712_ORDER_TYPE } = require("@opensea/seaport-js/lib/constants.js") as {
  EIP_712_ORDER_TYPE: TypedData["types"];
};
