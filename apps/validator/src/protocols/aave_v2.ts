/** Aave, second version. Its pool has the functions of the third, but supplies by `deposit` and has no packed forms. */
import type { Address } from "../proposal.ts";
import { defineProtocol, type ProtocolFunction } from "../protocol.ts";
import { aaveGateway } from "./shared/aave-gateway.ts";
import { aavePool } from "./shared/aave-pool.ts";
import { aaveV2Rewards } from "./shared/aave-rewards.ts";
import { lenderVerbs } from "./shared/lending.ts";

const pools: Readonly<Record<number, Address>> = {
  1: "0x7d2768de32b0b80b7a3454c06bdac94a69ddc7a9",
  137: "0x8dff5e27ea6b7ac08ebfdf9eb090f32ee9a30fcf",
  43114: "0x4f01aed16d97e3ab5ab2b501154dc9bb0f1a5a2c",
};

const names = [
  "deposit",
  "withdraw",
  "borrow",
  "repay",
  "setUserUseReserveAsCollateral",
  "swapBorrowRateMode",
  "flashLoan",
];

const hasName = ({ signature }: ProtocolFunction): boolean =>
  names.some((name) => signature.startsWith(`function ${name}(address`));

export default defineProtocol({
  title: "Aave v2",
  names: ["aave v2", "aavev2", "aave-v2", "aave 2"],
  family: "aave",
  verbs: lenderVerbs,
  contracts: {
    pool: pools,
    gateway: {
      1: "0xa0d9c1e9e48ca30c8d8c3b5d69ff5dc1f6dffc24",
      137: "0xf1e6d4347105138b51e2baca9a22fa228309ebb1",
      43114: "0x68c815cb8c8390bc3f2ce99265044dec9d350c49",
    },
    rewards: {
      1: "0xd784927ff2f95ba542bfc824c8a8a98f3495f6b5",
      137: "0x357d51124f59836ded84c8a1730d72b749d8bc23",
      43114: "0x01d83fe6a10d2f2b7af17034343746188272cac9",
    },
  },
  functions: [...aavePool.filter(hasName), ...aaveGateway, ...aaveV2Rewards],
});
