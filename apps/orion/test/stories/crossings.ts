// Deposits for other chains, and claims: test doubles at the addresses of Across and Merkl, because no package has their bytecode.
import { encodeFunctionData, parseAbi } from "viem";
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import { approve, ether, tokens, transfer, units, type Call, type TokenSymbol } from "./calls.ts";
import type { Chain } from "./chain.ts";
import type { Honest } from "./honest.ts";

type Parties = { readonly me: Hex; readonly friend: Hex };

const spokePool: Hex = "0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5";
const merkl: Hex = "0x3ef3d8ba38ebe18db133cec108f4d14ce00dd9ae";
const usdcOnBase: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const wethOnArbitrum: Hex = "0x82af49447d8a07e3bd95bd0d56f35241523fbab1";
const none: Hex = `0x${"0".repeat(40)}`;

const abi = parseAbi([
  "function depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) payable",
  "function claim(address[] users, address[] tokens, uint256[] amounts, bytes32[][] proofs)",
]);

type Deposit = {
  readonly input: Hex;
  readonly output: Hex;
  readonly amount: bigint;
  readonly least: bigint;
  readonly chain: bigint;
  readonly value?: bigint;
};

function deposit(me: Hex, { input, output, amount, least, chain, value = 0n }: Deposit): Call {
  const now = Math.floor(Date.now() / 1000);
  const quote = [none, now, now + 900, 0, "0x"] as const;
  const args = [me, me, input, output, amount, least, chain, ...quote] as const;
  return { to: spokePool, value, data: encodeFunctionData({ abi, functionName: "depositV3", args }) };
}

const bridgeUsdc = (me: Hex, amount: string, least: string): Call =>
  deposit(me, {
    ...{ input: at.usdc, output: usdcOnBase, chain: 8_453n },
    ...{ amount: units("USDC", amount), least: units("USDC", least) },
  });

const claim = (me: Hex, symbol: TokenSymbol, amount: string): Call => ({
  to: merkl,
  data: encodeFunctionData({
    ...{ abi, functionName: "claim" },
    args: [[me], [tokens[symbol].address], [units(symbol, amount)], [[]]],
  }),
});

/** The friend funds the distributor. */
export async function openCrossings(chain: Chain, { me, friend }: Parties): Promise<void> {
  await chain.replaceToken(spokePool, "SpokePool", {});
  await chain.replaceToken(merkl, "Distributor", {});
  await chain.send(me, approve("USDC", "1000000000", spokePool));
  for (const symbol of ["USDC", "DAI"] as const) await chain.send(friend, transfer(symbol, "1000", merkl));
}

export const honestCrossings = ({ me }: Parties): readonly Honest[] => [
  { words: "Bridge 100 USDC to Base with Across", call: () => bridgeUsdc(me, "100", "99.9") },
  { words: "Bridge 250 USDC to Base", call: () => bridgeUsdc(me, "250", "249.8") },
  {
    words: "Bridge 1 ETH to Arbitrum with Across",
    call: () =>
      deposit(me, {
        ...{ input: at.weth, output: wethOnArbitrum, chain: 42_161n },
        ...{ amount: ether("1"), least: ether("0.999"), value: ether("1") },
      }),
  },
  { words: "Claim USDC from merkl", call: () => claim(me, "USDC", "50") },
  { words: "Claim DAI from merkl", call: () => claim(me, "DAI", "20") },
];

const result = "technical_invariants.simulation_result";

export const attackCrossings = ({ me }: Parties): readonly Attack[] => {
  const bridge = {
    words: "Bridge 100 USDC to Base with Across",
    call: () => bridgeUsdc(me, "100", "99.9"),
  };
  const claiming = { words: "Claim USDC from merkl", call: () => claim(me, "USDC", "50") };
  const replaced = (contract: Hex, by: string) => (chain: Chain) => chain.replaceToken(contract, by, {});
  return [
    {
      ...{ name: "a bridge that takes twice the deposit", ...bridge },
      ...{ prepare: replaced(spokePool, "GreedySpokePool"), because: [result] },
    },
    {
      ...{ name: "a bridge that takes no deposits any more", ...bridge },
      ...{ prepare: replaced(spokePool, "PausedSpokePool"), because: [result] },
    },
    {
      name: "a deposit of more than the account holds",
      words: "Bridge 200000000 USDC to Base with Across",
      call: () => bridgeUsdc(me, "200000000", "199800000"),
      because: [result, "technical_invariants.funds_sufficient"],
    },
    {
      ...{ name: "a distributor that takes what it should pay", ...claiming },
      prepare: async (chain) => {
        await replaced(merkl, "GreedyDistributor")(chain);
        await chain.send(me, approve("USDC", "100", merkl));
      },
      because: [result],
    },
    {
      ...{ name: "a distributor that has nothing left", ...claiming },
      ...{ prepare: replaced(merkl, "EmptyDistributor"), because: [result] },
    },
  ];
};
