// Describes what would be sent or signed, in one row.
import type { TransactionView } from "@countersign/sdk";
import { formatEther } from "viem/utils";
import { plainLine } from "../terminal/plain-text.ts";
import type { Row } from "./layout.ts";

type Shape = Exclude<NonNullable<TransactionView["shape"]>, "tx">;
type Payload<S extends Shape> = NonNullable<TransactionView[S]>;

const rows: { readonly [S in Shape]: (payload: Payload<S>, chainId: number) => Row } = {
  typedData: ({ domain, primaryType }) => {
    const contract = domain["verifyingContract"];
    const where = typeof contract === "string" ? ` for ${plainLine(contract)}` : "";
    return ["signature", `${plainLine(primaryType)}${where}`];
  },
  calls: ({ calls, atomicRequired }, chainId) => {
    const listed = calls.map((call, index) => `${index + 1}. ${callOf(call, chainId)}`).join("; ");
    return ["batch", `${listed} (${atomicRequired ? "all or none" : "one after the other"})`];
  },
  authorizationList: ([authorization]) => {
    if (authorization === undefined) return ["authorization", "none"];
    const { address, nonce } = authorization;
    const what = /^0x0{40}$/.test(address)
      ? "removes the code delegation"
      : `runs the code of ${plainLine(address)} as the account`;
    return ["authorization", `${what}, with nonce ${plainLine(nonce)}`];
  },
  message: (message) => ["message", `“${plainLine(message)}”`],
  safeTransaction: (transaction, chainId) => {
    const { safe, nonce, operation, gasPrice, refundReceiver } = transaction;
    const how = operation === 1 ? "delegatecall: " : "";
    const refund = gasPrice === "0" ? "" : `, refunds gas to ${plainLine(refundReceiver)}`;
    const call = `${how}${callOf(transaction, chainId)}${refund}`;
    return ["Safe", `${plainLine(safe)}, nonce ${plainLine(nonce)}: ${call}`];
  },
  userOperation: ({ sender, nonce, callData, factory, paymaster, entryPointVersion }) => {
    const notes = [
      ...(factory === null ? [] : [`created by ${plainLine(factory)}`]),
      ...(paymaster === null ? [] : [`fees paid by ${plainLine(paymaster)}`]),
    ];
    const what = `${(callData.length - 2) / 2} bytes of calldata at EntryPoint ${plainLine(entryPointVersion)}`;
    const account = `${plainLine(sender)}, nonce ${plainLine(nonce)}`;
    return ["user operation", [`${account}: ${what}`, ...notes].join(", ")];
  },
};

/** An older service names no shape. */
const isShape = (shape: unknown): shape is Shape => typeof shape === "string" && Object.hasOwn(rows, shape);

/** Describes the content of the proposal: a call, or something to sign, which is a deferred transaction. */
export function signedRow(view: TransactionView): Row {
  const { tx, shape, signingHash, chainId } = view;
  const payload = isShape(shape) ? view[shape] : null;
  if (!isShape(shape) || payload === null)
    return ["call", tx === null ? "encrypted by the agent" : callOf(tx, chainId)];
  const [label, text] = rows[shape](payload as never, chainId);
  return [label, `${text}, hash ${plainLine(signingHash ?? "")}`];
}

/** Chains whose native token is ETH. For others, the symbol is unknown here. */
const etherChains: ReadonlySet<number> = new Set([
  1, 10, 130, 324, 8453, 42_161, 59_144, 534_352, 11_155_111,
]);

type Call = { readonly to: string; readonly value: string; readonly data: string };

function callOf({ to, value, data }: Call, chainId: number): string {
  const bytes = (data.length - 2) / 2;
  const coin = etherChains.has(chainId) ? "ETH" : "of the network's native token";
  const amount = /^\d+$/.test(value) ? `${formatEther(BigInt(value))} ${coin}` : plainLine(value);
  return `${amount} to ${plainLine(to)}${bytes > 0 ? `, with ${bytes} bytes of data` : ""}`;
}
