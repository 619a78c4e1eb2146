// The exact hash that a wallet would sign for a proposal that is not a transaction, or the hash of a batch, with ethers.
import {
  AbiCoder,
  concat,
  hashAuthorization,
  hashMessage,
  keccak256,
  toBeHex,
  TypedDataEncoder,
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";

type Members = Readonly<Record<string, unknown>>;

/** The members of a proposal in a receipt. At most one is not null. */
export type Payloads = {
  readonly typedData: {
    readonly domain: TypedDataDomain;
    readonly types: Record<string, TypedDataField[]>;
    readonly message: Members;
  } | null;
  readonly calls: (Members & { readonly chainId: number }) | null;
  readonly safeTransaction: (Members & { readonly chainId: number; readonly safe: string }) | null;
  readonly message: string | null;
  readonly authorizationList:
    readonly { readonly chainId: number; readonly address: string; readonly nonce: string }[] | null;
  readonly userOperation: UserOperation | null;
};

type UserOperation = {
  readonly chainId: number;
  readonly factory: string | null;
  readonly paymaster: string | null;
} & Readonly<Record<"entryPoint" | "entryPointVersion" | "sender" | "nonce" | "callData", string>> &
  Readonly<Record<"factoryData" | "paymasterData" | Amount, string>>;

type Amount =
  | ("callGasLimit" | "verificationGasLimit" | "preVerificationGas" | "maxFeePerGas")
  | ("maxPriorityFeePerGas" | "paymasterVerificationGasLimit" | "paymasterPostOpGasLimit");

/** Reads `address to, uint256 value`. */
export const fields = (list: string): TypedDataField[] =>
  list.split(", ").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });

const Batch = fields("address from, bool atomicRequired, Call[] calls");
const Call = fields("address to, uint256 value, bytes data");
const SafeTx = fields(
  "address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, " +
    "uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce",
);

const PackedUserOperation = fields(
  "address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, " +
    "uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData",
);

/** Two amounts of 16 bytes each. */
const halves = (...both: readonly string[]) => concat(both.map((amount) => toBeHex(BigInt(amount), 16)));

/** Returns the members as an entry point reads them. */
function pack(op: UserOperation): Readonly<Record<string, string>> {
  const paymasterGas = halves(op.paymasterVerificationGasLimit, op.paymasterPostOpGasLimit);
  return {
    ...{ sender: op.sender, nonce: op.nonce, callData: op.callData },
    initCode: op.factory === null ? "0x" : concat([op.factory, op.factoryData]),
    accountGasLimits: halves(op.verificationGasLimit, op.callGasLimit),
    preVerificationGas: op.preVerificationGas,
    gasFees: halves(op.maxPriorityFeePerGas, op.maxFeePerGas),
    paymasterAndData: op.paymaster === null ? "0x" : concat([op.paymaster, paymasterGas, op.paymasterData]),
  };
}

function hashUserOperation(op: UserOperation): string {
  const packed = pack(op);
  const { entryPoint, entryPointVersion, chainId } = op;
  if (entryPointVersion === "0.8") {
    const domain = { name: "ERC4337", version: "1", chainId, verifyingContract: entryPoint };
    return TypedDataEncoder.hash(domain, { PackedUserOperation }, packed);
  }
  if (entryPointVersion !== "0.7") throw new Error(`no known hash at EntryPoint ${entryPointVersion}`);
  const coder = AbiCoder.defaultAbiCoder();
  const types = PackedUserOperation.map(({ type }) => type.replace(/^bytes$/, "bytes32"));
  const words = PackedUserOperation.map(({ type, name }) =>
    type === "bytes" ? keccak256(packed[name] ?? "") : packed[name],
  );
  const inner = keccak256(coder.encode(types, words));
  return keccak256(coder.encode(["bytes32", "address", "uint256"], [inner, entryPoint, chainId]));
}

const pick = (from: Members, list: readonly TypedDataField[]): Record<string, unknown> =>
  Object.fromEntries(list.map(({ name }) => [name, from[name]]));

type Hashes = { readonly [Shape in keyof Payloads]: (payload: NonNullable<Payloads[Shape]>) => string };

const hashes: Hashes = {
  typedData: ({ domain, types, message }) => TypedDataEncoder.hash(domain, types, message),
  calls: (batch) => {
    const domain = { name: "Countersign", version: "2", chainId: batch.chainId };
    return TypedDataEncoder.hash(domain, { Batch, Call }, pick(batch, Batch));
  },
  safeTransaction: (transaction) => {
    const domain = { chainId: transaction.chainId, verifyingContract: transaction.safe };
    return TypedDataEncoder.hash(domain, { SafeTx }, pick(transaction, SafeTx));
  },
  message: (text) => hashMessage(text),
  authorizationList: ([authorization, ...others]) => {
    if (authorization === undefined || others.length > 0) throw new Error("not exactly one authorization");
    const { chainId, address, nonce } = authorization;
    return hashAuthorization({ chainId, address, nonce: BigInt(nonce) });
  },
  userOperation: hashUserOperation,
};

export type Signed = { readonly shape: string; readonly signingHash: string };

/** Undefined for a transaction. Throws if there is more than one payload. */
export function hashPayload(proposal: Payloads): Signed | undefined {
  const shapes = Object.keys(hashes) as (keyof Payloads)[];
  const given = shapes.filter((shape) => proposal[shape] !== null);
  const [shape] = given;
  if (shape === undefined) return undefined;
  if (given.length > 1) throw new Error(`the receipt holds ${given.join(" and ")}`);
  return { shape, signingHash: hashes[shape](proposal[shape] as never) };
}
