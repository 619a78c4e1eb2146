/** ERC-7579 and ERC-7821 share one function, `execute(mode, data)`: the mode says how the bytes are to be read. */
import { decodeBlob } from "../../bytes/decode.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, InnerCall, Read } from "../../protocol.ts";

type Execution = { readonly target: Address; readonly value: bigint; readonly callData: Hex };

const CALLS = "(address target, uint256 value, bytes callData)[] calls";
const ZERO = /^0x0{40}$/;

const single = (data: Hex): Execution => {
  if (data.length < 2 + 52 * 2) throw new Error("a single call has at least 52 bytes");
  return {
    target: data.slice(0, 42) as Address,
    value: BigInt(`0x${data.slice(42, 106)}`),
    callData: `0x${data.slice(106)}`,
  };
};

/** With or without the proof that the account checks; a list of calls either way. */
const batch = (data: Hex): readonly Execution[] => {
  try {
    return decodeBlob(CALLS, data)[0] as readonly Execution[];
  } catch {
    return decodeBlob(`${CALLS}, bytes opData`, data)[0] as readonly Execution[];
  }
};

const inner = (
  call: CallView,
  zeroIsSelf: boolean,
  { target, value, callData }: Execution,
  at: string,
): InnerCall => {
  if (ZERO.test(target) && !zeroIsSelf) throw new Error("a call to nobody");
  return { to: ZERO.test(target) ? call.to : target, value, data: callData, account: call.to, at };
};

const batches = (call: CallView, mode: string, data: Hex): Read => {
  const kind = mode.slice(14, 22);
  const lists =
    kind === "78210002"
      ? (decodeBlob("bytes[] batches", data)[0] as readonly Hex[]).flatMap((each) => batch(each))
      : batch(data);
  return {
    calls: lists.map((each, i) => inner(call, kind.startsWith("7821"), each, `executionCalldata[${i}]`)),
  };
};

export const readExecution = (mode: Hex, data: Hex, call: CallView): Read => {
  switch (mode.slice(2, 4)) {
    case "00":
      return { calls: [inner(call, false, single(data), "executionCalldata")] };
    case "01":
      return batches(call, mode, data);
    case "fe":
      return { effects: [{ act: "harmless" }] };
    case "ff":
      if (data.length < 42) throw new Error("a delegatecall names its target");
      return {
        calls: [
          {
            to: data.slice(0, 42) as Address,
            value: 0n,
            data: `0x${data.slice(42)}`,
            account: call.to,
            delegatecall: true,
            at: "executionCalldata",
          },
        ],
      };
    default:
      throw new Error("no known way to execute");
  }
};
