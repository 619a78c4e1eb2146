/** Honest requests of the shapes that are measured and mutated most: a payment, a trade, a batch, a program. */
import { concat, encodeAbiParameters, encodeFunctionData, encodePacked, parseAbi } from "viem/utils";
import type { Hex } from "../src/proposal.ts";

export const me = "0x7a16ff8270133f063aab6c9977183d9e72835428";
export const bob = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const none = "0x0000000000000000000000000000000000000000";
const safe: Hex = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
const deadline = 1_790_060_000n;
const metadata = { from: me, chain_id: 1 };

/** Includes the ABI and the calldata, so that tests can decode them by other means. */
export type Shape = {
  readonly name: string;
  readonly abi: ReturnType<typeof parseAbi>;
  readonly data: Hex;
  readonly request: {
    readonly human_intent: string;
    readonly proposed_tx: { readonly to: string; readonly data: Hex; readonly value: string };
    readonly metadata: Readonly<Record<string, unknown>>;
  };
};

const erc20 = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);
const v3 = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
]);
const safeAbi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
]);
const multiSend = parseAbi(["function multiSend(bytes transactions) payable"]);
const router = parseAbi(["function execute(bytes commands, bytes[] inputs, uint256 deadline) payable"]);

export const payUsdc = (to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20, functionName: "transfer", args: [to, amount] });

/** A Safe that pays USDC to each of them in one batch. */
export function payMany(parties: readonly Hex[], amount: bigint): Hex {
  const records = parties.map((to) => {
    const inner = payUsdc(to, amount);
    return encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [0, usdc, 0n, BigInt((inner.length - 2) / 2), inner],
    );
  });
  const batch = encodeFunctionData({ abi: multiSend, args: [concat(records)] });
  return encodeFunctionData({
    abi: safeAbi,
    args: ["0x9641d764fc13c8b624c04430c7356c1c7c8102e2", 0n, batch, 1, 0n, 0n, 0n, none, none, "0x"],
  });
}

const fivePeople = [1, 2, 3, 4, 5].map((n): Hex => `0x${`${n}a`.repeat(19)}c${n}`);

const swap = encodeFunctionData({
  abi: v3,
  args: [
    {
      tokenIn: usdc,
      tokenOut: weth,
      fee: 500,
      recipient: me,
      deadline,
      amountIn: 1_000_000_000n,
      amountOutMinimum: 300_000_000_000_000_000n,
      sqrtPriceLimitX96: 0n,
    },
  ],
});

const program = encodeFunctionData({
  abi: router,
  args: [
    "0x00",
    [
      encodeAbiParameters(
        [{ type: "address" }, { type: "uint256" }, { type: "uint256" }, { type: "bytes" }, { type: "bool" }],
        [
          me,
          1_000_000_000n,
          300_000_000_000_000_000n,
          encodePacked(["address", "uint24", "address"], [usdc, 500, weth]),
          true,
        ],
      ),
    ],
    deadline,
  ],
});

export const shapes: readonly Shape[] = [
  {
    name: "ERC-20 transfer",
    abi: erc20,
    data: payUsdc(bob, 100_000_000n),
    request: {
      human_intent: `Send 100 USDC to ${bob}`,
      proposed_tx: { to: usdc, data: payUsdc(bob, 100_000_000n), value: "0" },
      metadata,
    },
  },
  {
    name: "Uniswap V3 exactInputSingle",
    abi: v3,
    data: swap,
    request: {
      human_intent: "Swap 1000 USDC for at least 0.3 WETH on Uniswap V3",
      proposed_tx: { to: "0xe592427a0aece92de3edee1f18e0157c05861564", data: swap, value: "0" },
      metadata,
    },
  },
  {
    name: "Safe execTransaction, MultiSend of 5 transfers",
    abi: safeAbi,
    data: payMany(fivePeople, 100_000_000n),
    request: {
      human_intent: `Send 100 USDC to each of ${fivePeople.join(", ")}`,
      proposed_tx: { to: safe, data: payMany(fivePeople, 100_000_000n), value: "0" },
      metadata,
    },
  },
  {
    name: "Universal Router execute",
    abi: router,
    data: program,
    request: {
      human_intent: "Swap 1000 USDC for at least 0.3 WETH on Uniswap",
      proposed_tx: { to: "0x66a9893cc07d91d95644aedd05d03f95e1dba8af", data: program, value: "0" },
      metadata,
    },
  },
];

export const payment = {
  human_intent: `Send 0.1 ETH to ${bob}`,
  proposed_tx: { to: bob, value: "100000000000000000" },
  metadata,
} as const;

export const someRequests: readonly object[] = [payment, ...shapes.map(({ request }) => request)];
