/** Vaults of Kiln, each of which lends one asset to one lender. */
import { defineProtocol } from "../protocol.ts";
import { kilnVaults } from "./shared/kiln-vaults.ts";
import { lenderVerbs } from "./shared/lending.ts";
import { vaultContracts, vaultFunctions } from "./shared/vault.ts";

export default defineProtocol({
  title: "Kiln vaults",
  names: ["kiln", "kiln vault", "kiln defi"],
  family: "kiln",
  verbs: lenderVerbs,
  contracts: { vault: vaultContracts(kilnVaults) },
  functions: vaultFunctions(kilnVaults),
});
