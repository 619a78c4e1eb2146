/**
 * A contract that calls itself once per part and keeps the caller and the native value. Many contracts have it in
 * these three forms.
 */
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, inert, openedAsCalls } from "../uses.ts";
import { callsOnItself } from "./shared/calls-on-itself.ts";

export default defineProtocol({
  title: "Multicall on itself",
  names: [],
  contracts: {},
  functions: [
    fn("function multicall(bytes[] data) payable", "anywhere", { data: openedAsCalls }, ([data], call) => ({
      calls: callsOnItself(data, call, call.value),
    })),
    fn(
      "function multicall(uint256 deadline, bytes[] data) payable",
      "anywhere",
      { deadline: feeds.deadline, data: openedAsCalls },
      ([deadline, data], call) => ({
        effects: [{ act: "harmless", deadline, places: { deadline: "deadline" } }],
        calls: callsOnItself(data, call, call.value),
      }),
    ),
    fn(
      "function multicall(bytes32 previousBlockhash, bytes[] data) payable",
      "anywhere",
      { previousBlockhash: inert.replay, data: openedAsCalls },
      ([, data], call) => ({
        calls: callsOnItself(data, call, call.value),
      }),
    ),
  ],
});
