// A user operation as entry points read it: several members share one word, and the factory and the paymaster begin their data.
import type { Hex } from "viem";
import { concatHex, keccak256, numberToHex } from "viem/utils";
import { hashTypedData, type TypedData } from "./typed-data.ts";
import type { UserOperation } from "./user-operation.ts";

/** Without the signature, which the hash does not cover. */
export type PackedUserOperation = {
  readonly sender: Hex;
  readonly nonce: string;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly accountGasLimits: Hex;
  readonly preVerificationGas: string;
  readonly gasFees: Hex;
  readonly paymasterAndData: Hex;
};

/** Returns the most that the account, or its paymaster, pays for gas: in wei, and before the operation is executed. */
export const largestFee = (operation: UserOperation): bigint =>
  BigInt(operation.maxFeePerGas) *
  (BigInt(operation.preVerificationGas) +
    BigInt(operation.verificationGasLimit) +
    BigInt(operation.callGasLimit) +
    BigInt(operation.paymasterVerificationGasLimit) +
    BigInt(operation.paymasterPostOpGasLimit));

const field = (name: string, type: string) => ({ name, type });

const types = {
  PackedUserOperation: [
    ...[field("sender", "address"), field("nonce", "uint256"), field("initCode", "bytes")],
    ...[field("callData", "bytes"), field("accountGasLimits", "bytes32")],
    ...[field("preVerificationGas", "uint256"), field("gasFees", "bytes32")],
    field("paymasterAndData", "bytes"),
  ],
} as const;

const half = (amount: string): Hex => numberToHex(BigInt(amount), { size: 16 });
const word = (amount: string): Hex => numberToHex(BigInt(amount), { size: 32 });
const left = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`;

export function packUserOperation(operation: UserOperation): PackedUserOperation {
  const { sender, nonce, factory, callData, preVerificationGas, paymaster } = operation;
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit, paymasterData } = operation;
  const paymasterGas = [half(paymasterVerificationGasLimit), half(paymasterPostOpGasLimit)];
  return {
    ...{ sender, nonce, callData, preVerificationGas },
    initCode: factory === null ? "0x" : concatHex([factory, operation.factoryData]),
    accountGasLimits: concatHex([half(operation.verificationGasLimit), half(operation.callGasLimit)]),
    gasFees: concatHex([half(operation.maxPriorityFeePerGas), half(operation.maxFeePerGas)]),
    paymasterAndData: paymaster === null ? "0x" : concatHex([paymaster, ...paymasterGas, paymasterData]),
  };
}

/** EntryPoint 0.8 signs typed data, so that wallets can show it. */
const typedDataOf = ({ chainId, entryPoint }: UserOperation, packed: PackedUserOperation): TypedData => ({
  domain: { name: "ERC4337", version: "1", chainId, verifyingContract: entryPoint },
  types,
  primaryType: "PackedUserOperation",
  message: packed,
});

/** EntryPoint 0.7 hashes words, with the hash of each member that is longer than one. */
function hashWords({ chainId, entryPoint }: UserOperation, packed: PackedUserOperation): Hex {
  const { sender, nonce, initCode, callData, accountGasLimits, preVerificationGas, gasFees } = packed;
  const operation = [
    ...[left(sender), word(nonce), keccak256(initCode), keccak256(callData)],
    ...[accountGasLimits, word(preVerificationGas), gasFees, keccak256(packed.paymasterAndData)],
  ];
  return keccak256(concatHex([keccak256(concatHex(operation)), left(entryPoint), word(String(chainId))]));
}

/** Returns the `userOpHash`, which the owners of the account sign in the way that the account defines. */
export function hashUserOperation(operation: UserOperation): Hex {
  const packed = packUserOperation(operation);
  switch (operation.entryPointVersion) {
    case "0.7":
      return hashWords(operation, packed);
    case "0.8":
      return hashTypedData(typedDataOf(operation, packed));
  }
}
