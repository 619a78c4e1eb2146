/** ERC-7579 and ERC-7821 share one function, `execute(mode, data)`: the mode says how the bytes are to be read. */
import { openBlob } from "../../bytes/decode.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, InnerCall, Read } from "../../protocol.ts";

type Call = { readonly target: Address; readonly value: bigint; readonly callData: Hex };
type Execution = Call & { readonly within: readonly [number, number] };

const lengthOf = (data: Hex): number => (data.length - 2) / 2;

const CALLS = "(address target, uint256 value, bytes callData)[] calls";
const ZERO = /^0x0{40}$/;

const single = (data: Hex): Execution => {
  if (data.length < 2 + 52 * 2) throw new Error("a single call has at least 52 bytes");
  return {
    target: data.slice(0, 42) as Address,
    value: BigInt(`0x${data.slice(42, 106)}`),
    callData: `0x${data.slice(106)}`,
    within: [52, lengthOf(data)],
  };
};

const openCalls = (data: Hex): ReturnType<typeof openBlob> => {
  try {
    return openBlob(CALLS, data);
  } catch {
    return openBlob(`${CALLS}, bytes opData`, data);
  }
};

/** With or without the proof that the account checks; a list of calls either way. `base` is where `data` begins. */
const batch = (data: Hex, base: number): readonly Execution[] =>
  (openCalls(data).nodes[0]?.children ?? []).map(({ value, children }) => {
    const [from, to] = children[2]?.bytes ?? [0, 0];
    return { ...(value as Call), within: [base + from, base + to] };
  });

const batchesOf = (data: Hex): readonly Execution[] =>
  (openBlob("bytes[] batches", data).nodes[0]?.children ?? []).flatMap(({ value, bytes }) =>
    batch(value as Hex, bytes[0]),
  );

const inner = (
  call: CallView,
  zeroIsSelf: boolean,
  { target, value, callData, within }: Execution,
  at: string,
): InnerCall => {
  if (ZERO.test(target) && !zeroIsSelf) throw new Error("a call to nobody");
  return { to: ZERO.test(target) ? call.to : target, value, data: callData, account: call.to, at, within };
};

const batches = (call: CallView, mode: string, data: Hex): Read => {
  const kind = mode.slice(14, 22);
  const lists = kind === "78210002" ? batchesOf(data) : batch(data, 0);
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
            within: [20, lengthOf(data)],
          },
        ],
      };
    default:
      throw new Error("no known way to execute");
  }
};
