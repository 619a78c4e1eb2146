/** How a Safe runs several calls: it runs this code as its own, and each record becomes a call of the Safe. */
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type InnerCall, type Read } from "../protocol.ts";
import { openedBy } from "../uses.ts";
import { packedCalls } from "./shared/packed-calls.ts";

const run = (transactions: Hex, call: CallView): Read => {
  const records = call.open(packedCalls, transactions, "transactions");
  const runsAsCaller = call.delegatecall === true;
  if (!runsAsCaller && call.role === "multisend") throw new Error("this contract accepts only delegatecalls");
  return {
    calls: records.map(({ operation, to, value, data }, i): InnerCall => {
      if (operation > 1) throw new Error(`record ${i} has an unknown operation`);
      if (operation === 1 && call.role === "multisend_call_only")
        throw new Error(`record ${i} is a delegatecall, which this contract rejects`);
      return {
        to,
        value,
        data,
        ...(runsAsCaller ? { sender: call.sender } : {}),
        ...(operation === 1 ? { delegatecall: true } : {}),
        at: `transactions[${i}].data`,
      };
    }),
  };
};

export default defineProtocol({
  title: "Safe MultiSend",
  names: [],
  contracts: {
    multisend: {
      0: [
        "0x8d29be29923b68abfdd21e541b9374737b49cdad",
        "0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
        "0x998739bfdaadde7c933b942a68053933098f9eda",
        "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
        "0x218543288004cd07832472d464648173c77d7eb7",
      ],
      324: ["0x0dfcccb95225ffb03c6fbb2559b530c2b7c8a912", "0x309d0b190fecca8e1d5d8309a16f7e3cb133e885"],
    },
    multisend_call_only: {
      0: [
        "0x40a2accbd92bca938b02010e17a5b8929b49130d",
        "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b",
        "0x9641d764fc13c8b624c04430c7356c1c7c8102e2",
        "0xa83c336b20401af773b6219ba5027174338d1836",
      ],
      324: ["0xf220d3b4dfb23c4ade8c88e526c1353abacbc38f", "0x0408ef011960d02349d50286d20531229bcef773"],
    },
  },
  libraries: ["multisend", "multisend_call_only"],
  functions: [
    fn(
      "function multiSend(bytes transactions) payable",
      ["multisend", "multisend_call_only"],
      { transactions: openedBy(packedCalls) },
      ([transactions], call) => run(transactions, call),
    ),
  ],
});
