// The sample data of the development stack: requests and the transactions that an agent built for them.
import {
  concat,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  size,
  zeroAddress,
} from "viem";
import type { Hex, Proposal } from "../../packages/sdk/src/index.ts";

type StoryCase = Pick<Proposal, "userPrompt" | "tx">;

const alice: Hex = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const vendor: Hex = "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f";
const insider: Hex = "0x3f5CE5FBFe3E9af3971dD833D26bA9b5C936f0bE";
const teamSafe: Hex = "0x8a1D3C5E0b7F4e2A9c6B8d0E1f2A3b4C5d6E7f80";
/** Circle's on this chain. */
const usdc: Hex = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const uniswapRouter: Hex = "0x3bFA4769FB09eefC5a80d6E87c3B9C650f7Ae48E";
const multiSend: Hex = "0x9641d764fc13c8B624c04430C7356C1C7C8102e2";

/** As in February 2025: the shared account, the contract that the call was delegated to, and who got hold of the account. */
const bybit = {
  safe: "0x1Db92e2EeBC8E0c075a02BeA49a2935BcD2dFCF4",
  warmWallet: "0xf89d7b9c864f589bbF53a82105107622B35EaA40",
  delegate: "0x96221423681A6d52E184D440a8eFCEbB105C7242",
  nextMaster: "0xbDd077f651EBe7f7b3cE16fe5F2b025BE2969516",
} as const;

const safeAbi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
  "function multiSend(bytes transactions) payable",
]);

const transfer = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });

/** A Safe with a delegatecall: this is how it sends several calls at once, and how it is taken over. */
const execute = (to: Hex, data: Hex): Hex =>
  encodeFunctionData({
    abi: safeAbi,
    functionName: "execTransaction",
    args: [to, 0n, data, 1, 0n, 0n, 0n, zeroAddress, zeroAddress, `0x${"1b".repeat(65)}`],
  });

const packed = ({ to, data }: { readonly to: Hex; readonly data: Hex }): Hex =>
  encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, 0n, BigInt(size(data)), data]);

const together = (...calls: readonly { readonly to: Hex; readonly data: Hex }[]): Hex =>
  encodeFunctionData({ abi: safeAbi, functionName: "multiSend", args: [concat(calls.map(packed))] });

const payment = (words: (to: Hex) => string, to: Hex, ether: string): StoryCase => ({
  userPrompt: words(to),
  tx: { to, value: parseEther(ether) },
});

/** The cases cover every outcome; the verdicts come from the real verification service. */
export const storyCases = {
  /** Does what was asked, and waits for the owner. */
  waiting: payment((to) => `Pay Alice 0.05 ETH for the September invoice, to ${to}`, alice, "0.05"),
  /** The request is for one hundred, but the approval is unlimited. */
  unlimited: {
    userPrompt: "Approve Uniswap to spend 100 USDC",
    tx: {
      to: usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [uniswapRouter, maxUint256] }),
    },
  },
  /** The second of two calls was not requested. */
  hidden: {
    userPrompt: `Pay 500 USDC to ${vendor} from our Safe ${teamSafe}`,
    tx: {
      to: teamSafe,
      data: execute(
        multiSend,
        together(
          { to: usdc, data: transfer(vendor, parseUnits("500", 6)) },
          { to: usdc, data: transfer(insider, parseUnits("25000", 6)) },
        ),
      ),
    },
  },
  executed: payment((to) => `Send 0.02 ETH to the hosting company at ${to}`, vendor, "0.02"),
  refused: payment((to) => `Send 0.4 ETH to ${to}`, insider, "0.4"),
  /** In words that the owner signed. */
  signed: payment((to) => `Send 0.1 ETH to Alice at ${to}`, alice, "0.1"),
  /** On screen a transfer from a cold wallet; in the bytes, the wallet itself. */
  incident: {
    userPrompt: `Move 30,000 ETH from the cold wallet to our warm wallet ${bybit.warmWallet}`,
    tx: { to: bybit.safe, data: execute(bybit.delegate, transfer(bybit.nextMaster, 0n)) },
  },
} satisfies Record<string, StoryCase>;
