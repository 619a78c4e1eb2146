// A payment by signature, as tests of guards sign it.
import type { Hex } from "viem";
import { sepolia } from "viem/chains";
import { account } from "./viem/scripted.ts";

export const payee = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const nonce: Hex = `0x${"01".repeat(32)}`;

export const payment = {
  domain: {
    ...{ name: "USDC", version: "2", chainId: sepolia.id },
    verifyingContract: "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238",
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
    ...{ from: account.address, to: payee as Hex, value: 10_000n },
    ...{ validAfter: 0n, validBefore: 1_900_000_000n, nonce },
  },
} as const;

/** The same, as JSON can hold it. */
export const writtenPayment = {
  ...payment,
  message: { ...payment.message, value: "10000", validAfter: "0", validBefore: "1900000000" },
};
