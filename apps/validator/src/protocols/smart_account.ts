/**
 * Accounts that are contracts: a caller that may call them makes them act, so the owner's own account makes the inner
 * calls.
 */
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type InnerCall } from "../protocol.ts";
import { feeds, openedAsCalls } from "../uses.ts";
import { empower } from "./shared/admin-drafts.ts";

const one = { dest: openedAsCalls, value: openedAsCalls, func: openedAsCalls };

type Part = { readonly to: Address; readonly value: bigint; readonly data: Hex };

const act = (call: CallView, part: Part, at: string): InnerCall => ({ ...part, account: call.to, at });

const zip = (
  call: CallView,
  to: readonly Address[],
  values: readonly bigint[] | null,
  data: readonly Hex[],
) => {
  if (to.length !== data.length || (values !== null && values.length > 0 && values.length !== to.length)) {
    throw new Error("the lists have different lengths");
  }
  return to.map((target, i) =>
    act(call, { to: target, value: values?.[i] ?? 0n, data: data[i] ?? "0x" }, `func[${i}]`),
  );
};

export default defineProtocol({
  title: "Smart accounts",
  names: [],
  contracts: {},
  functions: [
    ...(["execute", "execute_ncC", "executeCall"] as const).map((name) =>
      fn(
        `function ${name}(address dest, uint256 value, bytes func) payable`,
        "anywhere",
        one,
        ([to, value, data], call) => ({
          calls: [act(call, { to, value, data }, "func")],
        }),
      ),
    ),
    fn(
      "function execute(address dest, uint256 value, bytes func, uint8 operation) payable",
      "anywhere",
      { ...one, operation: feeds.act },
      ([to, value, data, operation], call) => {
        if (operation > 1) throw new Error(`${operation} is not a known operation`);
        return {
          calls: [
            { ...act(call, { to, value, data }, "func"), ...(operation === 1 ? { delegatecall: true } : {}) },
          ],
        };
      },
    ),
    fn(
      "function executeBatch(address[] dest, bytes[] func) payable",
      "anywhere",
      { dest: openedAsCalls, func: openedAsCalls },
      ([to, data], call) => ({ calls: zip(call, to, null, data) }),
    ),
    ...(["executeBatch", "executeBatch_y6U", "executeBatchCall"] as const).map((name) =>
      fn(
        `function ${name}(address[] dest, uint256[] value, bytes[] func) payable`,
        "anywhere",
        one,
        ([to, value, data], call) => ({ calls: zip(call, to, value, data) }),
      ),
    ),
    ...(["executeBatch", "execute"] as const).map((name) =>
      fn(
        `function ${name}((address target, uint256 value, bytes data)[] calls) payable`,
        "anywhere",
        { calls: { target: openedAsCalls, value: openedAsCalls, data: openedAsCalls } },
        ([calls], call) => ({
          calls: calls.map(({ target, value, data }, i) =>
            act(call, { to: target, value, data }, `calls[${i}].data`),
          ),
        }),
      ),
    ),
    fn("function addOwnerAddress(address owner)", "anywhere", { owner: feeds.admin }, ([owner], call) =>
      empower(call, "add_owner", owner, "owner"),
    ),
  ],
});
