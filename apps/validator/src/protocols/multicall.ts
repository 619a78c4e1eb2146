/** A contract that calls itself for each part, with the caller and the coin kept: many contracts have it, with these three shapes. */
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type InnerCall } from "../protocol.ts";
import { feeds, inert, openedAsCalls } from "../uses.ts";

const program = (data: readonly Hex[], call: CallView): readonly InnerCall[] =>
  data.map((part, i) => ({ to: call.to, value: call.value, data: part, program: true, at: `data[${i}]` }));

export default defineProtocol({
  title: "Multicall on oneself",
  names: [],
  contracts: {},
  functions: [
    fn("function multicall(bytes[] data) payable", "anywhere", { data: openedAsCalls }, ([data], call) => ({
      calls: program(data, call),
    })),
    fn(
      "function multicall(uint256 deadline, bytes[] data) payable",
      "anywhere",
      { deadline: feeds.deadline, data: openedAsCalls },
      ([deadline, data], call) => ({
        effects: [{ act: "harmless", deadline, places: { deadline: "deadline" } }],
        calls: program(data, call),
      }),
    ),
    fn(
      "function multicall(bytes32 previousBlockhash, bytes[] data) payable",
      "anywhere",
      { previousBlockhash: inert.replay, data: openedAsCalls },
      ([, data], call) => ({
        calls: program(data, call),
      }),
    ),
  ],
});
