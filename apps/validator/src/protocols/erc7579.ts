/** Modular accounts, and the batches of ERC-7821, which use the same function. */
import { defineProtocol, fn, type DraftChoice } from "../protocol.ts";
import { feeds, openedBy } from "../uses.ts";
import { administer, code, empower, picking } from "./shared/admin-drafts.ts";
import { executionMode, executions, readExecution } from "./shared/execution-modes.ts";

const moduleType = (id: bigint): DraftChoice => ({ what: "module_type", value: id, at: "moduleTypeId" });

export default defineProtocol({
  title: "ERC-7579 and ERC-7821 accounts",
  names: [],
  contracts: {},
  functions: [
    ...(["execute", "executeFromExecutor"] as const).map((name) =>
      fn(
        `function ${name}(bytes32 mode, bytes executionCalldata) payable`,
        "anywhere",
        { mode: openedBy(executionMode), executionCalldata: executions },
        ([mode, data], call) => readExecution(mode, data, call, { mode: "mode", data: "executionCalldata" }),
      ),
    ),
    fn(
      "function installModule(uint256 moduleTypeId, address module, bytes initData) payable",
      "anywhere",
      { moduleTypeId: feeds.choice, module: feeds.admin, initData: feeds.choice },
      ([type, module, initData], call) =>
        picking(
          empower(call, "enable_module", module, "module"),
          moduleType(type),
          ...code(initData, "initData"),
        ),
    ),
    fn(
      "function uninstallModule(uint256 moduleTypeId, address module, bytes deInitData) payable",
      "anywhere",
      { moduleTypeId: feeds.choice, module: feeds.admin, deInitData: feeds.choice },
      ([type, module, deInitData], call) =>
        picking(
          administer(call, "disable_module", module, "module"),
          moduleType(type),
          ...code(deInitData, "deInitData"),
        ),
    ),
  ],
});
