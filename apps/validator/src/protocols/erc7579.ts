/** Modular accounts, and ERC-7821's batches, which are asked for by the same function. */
import { defineProtocol, fn } from "../protocol.ts";
import { administer, empower } from "./shared/admin-drafts.ts";
import { readExecution } from "./shared/execution-modes.ts";

export default defineProtocol({
  title: "ERC-7579 and ERC-7821 accounts",
  names: [],
  contracts: {},
  functions: [
    ...(["execute", "executeFromExecutor"] as const).map((name) =>
      fn(
        `function ${name}(bytes32 mode, bytes executionCalldata) payable`,
        "anywhere",
        ([mode, data], call) => readExecution(mode, data, call),
      ),
    ),
    fn(
      "function installModule(uint256 moduleTypeId, address module, bytes initData) payable",
      "anywhere",
      ([, module]) => empower("enable_module", module, "module"),
    ),
    fn(
      "function uninstallModule(uint256 moduleTypeId, address module, bytes deInitData) payable",
      "anywhere",
      ([, module]) => administer("disable_module", module, "module"),
    ),
  ],
});
