/** Aave, third version: lending pools, the gateway for the native token, rewards, credit delegation. */
import { defineProtocol } from "../protocol.ts";
import { aaveGateway } from "./shared/aave-gateway.ts";
import { aavePool } from "./shared/aave-pool.ts";
import { aaveRewards } from "./shared/aave-rewards.ts";
import { aaveV3Gateways, aaveV3Pools, aaveV3Rewards } from "./shared/aave-v3-deployments.ts";
import { creditDelegation, creditDelegationMessage } from "./shared/credit-delegation.ts";
import { lenderVerbs } from "./shared/lending.ts";

export default defineProtocol({
  title: "Aave v3",
  names: ["aave", "aave v3", "aavev3", "aave-v3", "aave 3", "aave market", "aave pool", "aave protocol"],
  family: "aave",
  verbs: lenderVerbs,
  contracts: { pool: aaveV3Pools, gateway: aaveV3Gateways, rewards: aaveV3Rewards },
  functions: [...aavePool, ...aaveGateway, ...aaveRewards, ...creditDelegation],
  typedData: [creditDelegationMessage],
});
