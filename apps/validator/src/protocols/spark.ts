/** SparkLend: a deployment of Aave v3's code. */
import type { Address } from "../proposal.ts";
import { defineProtocol } from "../protocol.ts";
import { aaveGateway } from "./shared/aave-gateway.ts";
import { aavePool } from "./shared/aave-pool.ts";
import { lenderVerbs } from "./shared/lending.ts";

const pools: Readonly<Record<number, Address>> = {
  1: "0xc13e21b648a5ee794902342038ff3adab66be987",
  100: "0x2dae5307c5e3fd1cf5a72cb6f698f915860607e0",
};

export default defineProtocol({
  title: "Spark",
  names: ["spark", "sparklend", "spark lend", "spark protocol"],
  family: "spark",
  verbs: lenderVerbs,
  contracts: {
    pool: pools,
    gateway: {
      1: "0xbd7d6a9ad7865463de44b05f04559f65e3b11704",
      100: "0xbd7d6a9ad7865463de44b05f04559f65e3b11704",
    },
  },
  functions: [...aavePool, ...aaveGateway],
});
