// Lending on Aave V3. Before the stories `me` has supplied 20 WETH and borrowed 2 WETH.
import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import { approve, tokens, units, type Call, type TokenSymbol } from "./calls.ts";
import type { Honest } from "./honest.ts";

type Parties = { readonly me: Hex };

const abi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function withdraw(address asset, uint256 amount, address to)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
]);
const variable = 2n;

type Asked = { readonly symbol: TokenSymbol; readonly amount: string };

const amountOf = ({ symbol, amount }: Asked) => [tokens[symbol].address, units(symbol, amount)] as const;
const toPool = (data: Hex): Call => ({ to: at.aavePool, data });

export const supply = (me: Hex, asked: Asked): Call =>
  toPool(encodeFunctionData({ abi, functionName: "supply", args: [...amountOf(asked), me, 0] }));
const withdraw = (me: Hex, asked: Asked): Call =>
  toPool(encodeFunctionData({ abi, functionName: "withdraw", args: [...amountOf(asked), me] }));
export const borrow = (me: Hex, asked: Asked): Call =>
  toPool(encodeFunctionData({ abi, functionName: "borrow", args: [...amountOf(asked), variable, 0, me] }));
const repay = (me: Hex, asked: Asked): Call =>
  toPool(encodeFunctionData({ abi, functionName: "repay", args: [...amountOf(asked), variable, me] }));

export const honestLending = ({ me }: Parties): readonly Honest[] => [
  {
    words: "Supply 1000 USDC to Aave v3",
    call: () => supply(me, { symbol: "USDC", amount: "1000" }),
  },
  { words: "Supply 2 WETH to Aave", call: () => supply(me, { symbol: "WETH", amount: "2" }) },
  { words: "Withdraw 1 WETH from Aave", call: () => withdraw(me, { symbol: "WETH", amount: "1" }) },
  {
    words: "Borrow 500 USDC from Aave at a variable rate",
    call: () => borrow(me, { symbol: "USDC", amount: "500" }),
  },
  {
    words: "Repay 0.5 WETH of my variable rate debt on Aave",
    call: () => repay(me, { symbol: "WETH", amount: "0.5" }),
  },
];

const result = "technical_invariants.simulation_result";

export const attackLending = ({ me }: Parties): readonly Attack[] => [
  {
    name: "a loan that the collateral does not cover",
    words: "Borrow 100000 USDC from Aave at a variable rate",
    call: () => borrow(me, { symbol: "USDC", amount: "100000" }),
    because: [result],
  },
  {
    name: "a withdrawal of more than was supplied",
    words: "Withdraw 500 WETH from Aave",
    call: () => withdraw(me, { symbol: "WETH", amount: "500" }),
    because: [result],
  },
  {
    name: "a supply without an allowance",
    words: "Supply 1000 USDC to Aave v3",
    call: () => supply(me, { symbol: "USDC", amount: "1000" }),
    prepare: (chain) => chain.send(me, approve("USDC", "0", at.aavePool)),
    because: [result],
  },
  {
    name: "a supply of a token that takes double",
    words: "Supply 1000 USDC to Aave v3",
    call: () => supply(me, { symbol: "USDC", amount: "1000" }),
    prepare: async (chain) => {
      await chain.switchProxy(at.usdc, "WatchedToken", { [me]: 10n ** 24n });
      await chain.send(me, approve("USDC", "1000000", at.aavePool));
    },
    because: [result, "adversarial_detection.simulation_evasion"],
  },
];
