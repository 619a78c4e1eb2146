// One payload of each shape, for an account on Sepolia.
import {
  entryPoints,
  parseAuthorizationList,
  parseCalls,
  parseSafeTransaction,
  parseTypedData,
  parseUserOperation,
  type AuthorizationList,
  type Calls,
  type Hex,
  type Payload,
  type SafeTransaction,
  type Shape,
  type TypedData,
  type UserOperation,
} from "@countersign/wire";
import { encodeFunctionData, parseAbi } from "viem";
import { randomBytes } from "node:crypto";

const chainId = 11_155_111;
const word = (): Hex => `0x${randomBytes(32).toString("hex")}`;

/** A payment authorization (EIP-3009), as x402 clients have signed. */
export const authorization = (from: Hex, over: object = {}): TypedData =>
  parseTypedData({
    domain: {
      ...{ name: "USDC", version: "2", chainId: 11_155_111 },
      verifyingContract: "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238",
    },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message: {
      ...{ from, to: `0x${"11".repeat(20)}`, value: "10000", validAfter: 0, validBefore: 1_900_000_000 },
      nonce: word(),
      ...over,
    },
  });

/** A batch of two payments from an account. */
export const someCalls = (from: Hex, over: object = {}): Calls =>
  parseCalls({
    ...{ chainId: 11_155_111, from, atomicRequired: true },
    calls: [
      { to: `0x${"11".repeat(20)}`, value: "1000" },
      { to: `0x${"22".repeat(20)}`, value: "2000" },
    ],
    ...over,
  });

/** A payment of a Safe of which the account is an owner, or of the account itself. */
export const aSafePayment = (safe: Hex, over: object = {}): SafeTransaction =>
  parseSafeTransaction({
    ...{ chainId, safe, to: `0x${"11".repeat(20)}`, value: "1000", nonce: 3 },
    ...over,
  });

/** A delegation of the account's code (EIP-7702). */
export const aDelegation = (over: object = {}): AuthorizationList =>
  parseAuthorizationList([{ chainId, address: `0x${"63".repeat(20)}`, nonce: 3, ...over }]);

/** A user operation with which a smart account sends 0.01 ETH. */
export const aUserOperation = (sender: Hex, over: object = {}): UserOperation =>
  parseUserOperation({
    ...{ chainId, entryPoint: entryPoints["0.8"], sender, nonce: 3 },
    callData: encodeFunctionData({
      abi: parseAbi(["function execute(address target, uint256 value, bytes data)"]),
      args: [`0x${"ab".repeat(20)}`, 10n ** 16n, "0x"],
    }),
    ...{ callGasLimit: 90_000, verificationGasLimit: 120_000, preVerificationGas: 50_000 },
    ...{ maxFeePerGas: "2000000000", maxPriorityFeePerGas: "1000000000" },
    ...over,
  });

export const aPayload: Readonly<Record<Shape, (account: Hex) => Payload>> = {
  typedData: (account) => ({ shape: "typedData", typedData: authorization(account) }),
  calls: (account) => ({ shape: "calls", calls: someCalls(account) }),
  safeTransaction: (account) => ({ shape: "safeTransaction", safeTransaction: aSafePayment(account) }),
  message: () => ({ shape: "message", message: "I agree to the terms of example.com" }),
  authorizationList: () => ({ shape: "authorizationList", authorizationList: aDelegation() }),
  userOperation: (account) => ({ shape: "userOperation", userOperation: aUserOperation(account) }),
};
