// Reads a transaction request strictly, because an unknown member could move money.
import { hexToBigInt, isAddress } from "viem/utils";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";

/** The part of a transaction that a proposal covers. */
export type ExactCall = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

/** Fees and nonce, which do not change what the call does. */
export type Fees = {
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly nonce?: number;
  readonly type?: "legacy" | "eip1559";
};

export type Send = {
  /** The sender that the caller specified, if any. */
  readonly from: Hex | undefined;
  readonly call: ExactCall;
  readonly fees: Fees;
  /** The chain that the caller specified, if any. */
  readonly chainId: number | undefined;
};

type Given = Readonly<Record<string, unknown>>;

const amounts = ["gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] as const;
const types = { "0x0": "legacy", "0x2": "eip1559" } as const;
const known = new Set<string>([
  ...["from", "to", "value", "data", "input", "nonce", "type", "chainId"],
  ...amounts,
]);

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not sent: ${why}`);
};

/** Reads the parameters of `eth_sendTransaction`. If `address` is set, the sender must be that one. */
export function readSend(params: unknown, address?: Hex): Send {
  const given = readMembers(params);
  return {
    from: readFrom(given["from"], address),
    call: Object.freeze({
      to: readTo(given["to"]),
      value: readAmount(given, "value") ?? 0n,
      data: readData(given),
    }),
    fees: readFees(given),
    chainId: readNumber(given, "chainId"),
  };
}

/** Copies the request, so that the caller cannot change it afterwards. */
function readMembers(params: unknown): Given {
  const [asked, ...more] = Array.isArray(params) ? (params as unknown[]) : [];
  if (typeof asked !== "object" || asked === null || more.length > 0)
    return refuse("it is not a single transaction");
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const other = Object.keys(given).find((name) => !known.has(name));
  // Authorizations, blobs and future members, which a proposal cannot represent.
  return other === undefined ? given : refuse(`its member ${other} cannot be approved`);
}

const isSame = (one: unknown, other: string): boolean =>
  typeof one === "string" && one.toLowerCase() === other.toLowerCase();

function readFrom(from: unknown, address: Hex | undefined): Hex | undefined {
  if (from === undefined) return undefined;
  return isAnyAddress(from) && isSame(from, address ?? from) ? from : refuse("its sender is another wallet");
}

const isAnyAddress = (given: unknown): given is Hex =>
  typeof given === "string" && isAddress(given, { strict: false });

const readTo = (to: unknown): Hex =>
  isAnyAddress(to) ? to : refuse("it has no recipient, and a deployment cannot be approved");

/** Wallets use two names for calldata. If both are set they must be equal. */
function readData({ data, input }: Given): Hex {
  const said = data ?? input ?? "0x";
  if (typeof said !== "string" || !/^0x([0-9a-f]{2})*$/i.test(said))
    return refuse("its data is not valid hex");
  if (input !== undefined && !isSame(input, said)) return refuse("its data and its input differ");
  return said as Hex;
}

function readFees(given: Given): Fees {
  const fees: Record<string, bigint | number | string> = {};
  for (const name of amounts) {
    const amount = readAmount(given, name);
    if (amount !== undefined) fees[name] = amount;
  }
  const nonce = readNumber(given, "nonce");
  if (nonce !== undefined) fees["nonce"] = nonce;
  if (given["type"] !== undefined) fees["type"] = readType(given["type"]);
  return fees;
}

const readType = (type: unknown): "legacy" | "eip1559" =>
  type === "0x0" || type === "0x2" ? types[type] : refuse("transactions of its type cannot be approved");

/** Reads a JSON-RPC number below 2^256. */
function readAmount(given: Given, name: string): bigint | undefined {
  const amount = given[name];
  if (amount === undefined) return undefined;
  return typeof amount === "string" && /^0x[0-9a-f]{1,64}$/i.test(amount)
    ? hexToBigInt(amount as Hex)
    : refuse(`its ${name} is not a number`);
}

function readNumber(given: Given, name: string): number | undefined {
  const amount = readAmount(given, name);
  if (amount === undefined) return undefined;
  return amount <= Number.MAX_SAFE_INTEGER ? Number(amount) : refuse(`its ${name} is too large`);
}
