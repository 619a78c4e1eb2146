// An ERC-4337 user operation in one canonical form, for the two entry points whose hash we know. Members are unpacked, as
// `eth_sendUserOperation` takes them since version 0.7.
import type { Hex } from "viem";
import { readChainId, readHex } from "./typed-data/domain.ts";
import { fail, isObject } from "./typed-data/problem.ts";
import { parseStruct } from "./typed-data/values.ts";

/** The same on every chain. The hash of a contract at another address is not known. */
export const entryPoints = {
  "0.7": "0x0000000071727de22e5e9d8baf0edac6f37da032",
  "0.8": "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
} as const satisfies Readonly<Record<string, Hex>>;

export type EntryPointVersion = keyof typeof entryPoints;

/** All that the hash covers. Amounts are decimal strings; gas is in units, fees are in wei per unit of gas. */
export type UserOperation = {
  readonly chainId: number;
  readonly entryPoint: Hex;
  readonly entryPointVersion: EntryPointVersion;
  /** The smart account that acts. */
  readonly sender: Hex;
  readonly nonce: string;
  /** Deploys the account first. Null: it exists. */
  readonly factory: Hex | null;
  readonly factoryData: Hex;
  readonly callData: Hex;
  readonly callGasLimit: string;
  readonly verificationGasLimit: string;
  readonly preVerificationGas: string;
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string;
  /** Pays for the gas. Null: the account pays. */
  readonly paymaster: Hex | null;
  readonly paymasterVerificationGasLimit: string;
  readonly paymasterPostOpGasLimit: string;
  readonly paymasterData: Hex;
};

const fields = (type: string, names: readonly string[]) => names.map((name) => ({ name, type }));

const types = {
  UserOperation: [
    ...fields("address", ["sender"]),
    ...fields("uint256", ["nonce"]),
    ...fields("bytes", ["factoryData", "callData"]),
    ...fields("uint128", ["callGasLimit", "verificationGasLimit"]),
    ...fields("uint256", ["preVerificationGas"]),
    ...fields("uint128", ["maxFeePerGas", "maxPriorityFeePerGas"]),
    ...fields("uint128", ["paymasterVerificationGasLimit", "paymasterPostOpGasLimit"]),
    ...fields("bytes", ["paymasterData"]),
  ],
} as const;

/** Libraries leave them out, or write null, if there is no factory or no paymaster. */
const defaults = {
  ...{ factoryData: "0x", paymasterData: "0x" },
  ...{ paymasterVerificationGasLimit: "0", paymasterPostOpGasLimit: "0" },
} as const;

/**
 * Returns the canonical form of a user operation. Throws a TypedDataProblem that names the member: one that the hash would not cover,
 * such as the signature, another entry point, or a factory that stands for an EIP-7702 delegation, whose hash depends on the state.
 */
export function parseUserOperation(json: unknown): UserOperation {
  if (!isObject(json)) return fail("userOperation", "must be an object");
  const { chainId, entryPoint, entryPointVersion, factory, paymaster, ...given } = json;
  const withDefaults = { ...given };
  for (const [name, value] of Object.entries(defaults)) withDefaults[name] ??= value;
  const operation = parseStruct(withDefaults, "UserOperation", types, "") as Members;
  const parsed = {
    chainId: readChainId(chainId, "chainId"),
    ...readEntryPoint(entryPoint, entryPointVersion),
    ...operation,
    factory: readFactory(factory),
    paymaster: readPaymaster(paymaster),
  };
  checkUnused(parsed);
  return parsed;
}

type EntryPoint = Pick<UserOperation, "entryPoint" | "entryPointVersion">;
type Members = Omit<UserOperation, "chainId" | keyof EntryPoint | "factory" | "paymaster">;

function readEntryPoint(address: unknown, version: unknown): EntryPoint {
  const entryPoint = readHex(address, "entryPoint", 20);
  const known = (Object.keys(entryPoints) as EntryPointVersion[]).find(
    (one) => entryPoints[one] === entryPoint,
  );
  if (known === undefined)
    return fail(
      "entryPoint",
      `must be that of version 0.7, ${entryPoints["0.7"]}, or 0.8, ${entryPoints["0.8"]}`,
    );
  if (version !== undefined && version !== known)
    return fail("entryPointVersion", `must be ${known}, the version of this entry point`);
  return { entryPoint, entryPointVersion: known };
}

/** EntryPoint 0.8 reads this in place of a factory, and hashes the delegate that the account has at that time. */
const isDelegation = (factory: unknown): boolean => typeof factory === "string" && /^0x77020*$/.test(factory);

function readFactory(factory: unknown): Hex | null {
  if (factory === undefined || factory === null) return null;
  if (isDelegation(factory))
    return fail(
      "factory",
      "must not stand for a delegation (EIP-7702), whose hash depends on the account's code",
    );
  return readHex(factory, "factory", 20);
}

function readPaymaster(paymaster: unknown): Hex | null {
  if (paymaster === undefined || paymaster === null) return null;
  const address = readHex(paymaster, "paymaster", 20);
  // Entry points read it as no paymaster, and the hash is another one.
  return /^0x0{40}$/.test(address) ? fail("paymaster", "must not be the zero address") : address;
}

/** The hash does not cover what belongs to a factory or paymaster that is not there. */
function checkUnused(operation: UserOperation): void {
  const unused = [
    ...(operation.factory === null ? (["factoryData"] as const) : []),
    ...(operation.paymaster === null
      ? (["paymasterVerificationGasLimit", "paymasterPostOpGasLimit", "paymasterData"] as const)
      : []),
  ];
  for (const name of unused)
    if (operation[name] !== defaults[name])
      fail(name, `needs a ${name === "factoryData" ? "factory" : "paymaster"}`);
}
