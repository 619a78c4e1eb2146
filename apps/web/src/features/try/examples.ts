// Transactions to try, ready to be judged. The bytes are written out: nothing has to be built to look at them.
import type { Entered } from "./read-form.ts";

export type Example = { readonly name: string; readonly told: string; readonly entered: Entered };

const from = "0x3ede36a5b39e4c7b2f4a5b5d2d1e9c0a1b2c3d4e";
const friend = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

/** A Safe's execTransaction. Its fourth word is 1: the code at the address of the first runs as the Safe itself. */
const delegatecall = [
  "0x6a761202",
  "00000000000000000000000096221423681a6d52e184d440a8efcebb105c7242",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000140",
  "0000000000000000000000000000000000000000000000000000000000000001",
  "000000000000000000000000000000000000000000000000000000000000b2b2",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "00000000000000000000000000000000000000000000000000000000000001c0",
  "0000000000000000000000000000000000000000000000000000000000000044",
  "a9059cbb000000000000000000000000bdd077f651ebe7f7b3ce16fe5f2b025b",
  "e296951600000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000041",
  "1111111111111111111111111111111111111111111111111111111111111111",
  "1111111111111111111111111111111111111111111111111111111111111111",
  "1100000000000000000000000000000000000000000000000000000000000000",
].join("");

/** approve(spender, the largest number there is). */
const unlimitedApproval = [
  "0x095ea7b3",
  "000000000000000000000000e592427a0aece92de3edee1f18e0157c05861564",
  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
].join("");

export const examples: readonly Example[] = [
  {
    name: "Plain payment",
    told: "Request and transaction match.",
    entered: { words: `Send 0.05 ETH to ${friend}`, to: friend, value: "0.05", data: "", chainId: "1", from },
  },
  {
    name: "Takeover dressed as a transfer",
    told: "How 401,347 ETH were stolen in February 2025: a multisig runs an attacker’s code.",
    entered: {
      words:
        "Move 30,000 ETH from the cold wallet to our warm wallet 0x828424517f9f04015db02169f4026d57b2b07229",
      to: "0x1Db92e2EeBC8E0c075a02BeA49a2935BcD2dFCF4",
      value: "0",
      data: delegatecall,
      chainId: "1",
      from,
    },
  },
  {
    name: "Unlimited approval",
    told: "You asked for 100 USDC. It allows any amount.",
    entered: {
      words: "Approve Uniswap to spend 100 USDC",
      to: usdc,
      value: "0",
      data: unlimitedApproval,
      chainId: "1",
      from,
    },
  },
];
