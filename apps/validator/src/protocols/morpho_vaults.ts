/** Vaults that lend on Morpho, each run by a curator. */
import { defineProtocol } from "../protocol.ts";
import { lenderVerbs } from "./shared/lending.ts";
import { morphoVaults } from "./shared/morpho-vaults.ts";
import { vaultContracts, vaultFunctions } from "./shared/vault.ts";

export default defineProtocol({
  title: "Morpho vaults",
  names: [
    "morpho",
    "morpho vault",
    "morpho vaults",
    "metamorpho",
    "steakhouse",
    "gauntlet",
    "mev capital",
    "re7",
  ],
  family: "morpho",
  verbs: lenderVerbs,
  contracts: { vault: vaultContracts(morphoVaults) },
  functions: vaultFunctions(morphoVaults),
});
