// Swaps on Uniswap's Universal Router, which takes tokens through Permit2. `me` gives both allowances before each story.
import { concatHex, encodeAbiParameters, encodeFunctionData, encodePacked, parseAbi } from "viem";
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import { approve, ether, tokens, units, v3Swap, type Call, type TokenSymbol } from "./calls.ts";
import type { Chain } from "./chain.ts";
import type { Honest } from "./honest.ts";

type Parties = { readonly me: Hex; readonly friend: Hex };

const abi = parseAbi([
  "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
/** The router's word for itself as a recipient. */
const router: Hex = "0x0000000000000000000000000000000000000002";

type Command = { readonly command: Hex; readonly input: Hex };

const addressAndAmount = [{ type: "address" }, { type: "uint256" }] as const;

function execute(commands: readonly Command[], value = 0n): Call {
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 900);
  const inputs = commands.map(({ input }) => input);
  const args = [concatHex(commands.map(({ command }) => command)), inputs, deadline] as const;
  return { to: at.universalRouter, value, data: encodeFunctionData({ abi, functionName: "execute", args }) };
}

type Sale = {
  readonly from: TokenSymbol;
  readonly to: TokenSymbol;
  readonly amount: string;
  readonly least: string;
  readonly recipient: Hex;
  /** Whether the router takes the tokens from the account, and not from what it holds itself. */
  readonly isFromAccount?: boolean;
};

/** `path` is packed on V3, a list on V2. */
const sell = ({ from, to, amount, least, recipient, isFromAccount = true }: Sale) => ({
  onV3: (fee: number): Command => ({
    command: "0x00",
    input: encodeAbiParameters(
      [...addressAndAmount, { type: "uint256" }, { type: "bytes" }, { type: "bool" }],
      [
        ...([recipient, units(from, amount), units(to, least)] as const),
        encodePacked(["address", "uint24", "address"], [tokens[from].address, fee, tokens[to].address]),
        isFromAccount,
      ],
    ),
  }),
  onV2: (): Command => ({
    command: "0x08",
    input: encodeAbiParameters(
      [...addressAndAmount, { type: "uint256" }, { type: "address[]" }, { type: "bool" }],
      [
        ...([recipient, units(from, amount), units(to, least)] as const),
        [tokens[from].address, tokens[to].address],
        isFromAccount,
      ],
    ),
  }),
});
const wrapInRouter = (amount: string): Command => ({
  command: "0x0b",
  input: encodeAbiParameters(addressAndAmount, [router, ether(amount)]),
});
const unwrapTo = (recipient: Hex, least: string): Command => ({
  command: "0x0c",
  input: encodeAbiParameters(addressAndAmount, [recipient, ether(least)]),
});

/** Lets Permit2 take the token, and the router take it from Permit2. */
async function allow(chain: Chain, me: Hex, symbol: TokenSymbol): Promise<void> {
  await chain.send(me, approve(symbol, "1000000", at.permit2));
  const expiration = Math.floor(Date.now() / 1000) + 3_600;
  const args = [tokens[symbol].address, at.universalRouter, units(symbol, "1000000"), expiration] as const;
  await chain.send(me, { to: at.permit2, data: encodeFunctionData({ abi, functionName: "approve", args }) });
}

const forWeth = (me: Hex, least: string): Call =>
  execute([sell({ from: "USDC", to: "WETH", amount: "3000", least, recipient: me }).onV3(500)]);
const forEther = (me: Hex, least: string): Call =>
  execute([
    sell({ from: "USDC", to: "WETH", amount: "3000", least: "0", recipient: router }).onV2(),
    unwrapTo(me, least),
  ]);

export const honestRouterSwaps = ({ me }: Parties): readonly Honest[] => {
  const prepare = (chain: Chain): Promise<void> => allow(chain, me, "USDC");
  return [
    {
      words: "Swap 3000 USDC for at least 0.98 WETH on the Uniswap universal router",
      call: () => forWeth(me, "0.98"),
      prepare,
    },
    {
      words: "Swap 3000 USDC for ETH on the Uniswap universal router",
      call: () => forEther(me, "0.98"),
      prepare,
    },
    {
      words: "Swap 1 ETH for at least 2950 USDC on the Uniswap universal router",
      call: () =>
        execute(
          [
            wrapInRouter("1"),
            sell({
              ...{ from: "WETH", to: "USDC", amount: "1", least: "2950" },
              ...{ recipient: me, isFromAccount: false },
            }).onV3(500),
          ],
          ether("1"),
        ),
    },
  ];
};

const result = "technical_invariants.simulation_result";

export const attackRouterSwaps = ({ me, friend }: Parties): readonly Attack[] => {
  const words = "Swap 3000 USDC for at least 0.98 WETH on the Uniswap universal router";
  return [
    {
      ...{ name: "a swap on the Universal Router without an allowance of Permit2", words },
      ...{ call: () => forWeth(me, "0.98"), because: [result] },
    },
    {
      ...{ name: "a pool drained below the stated minimum of a swap on the Universal Router", words },
      call: () => forWeth(me, "0.98"),
      prepare: async (chain) => {
        await allow(chain, me, "USDC");
        await chain.send(
          friend,
          v3Swap(friend, { from: "USDC", to: "WETH", amount: "20000000", least: "0", fee: 500 }),
        );
      },
      because: [result],
    },
    {
      name: "a minimum of half the price on the Universal Router",
      words: "Swap 3000 USDC for ETH on the Uniswap universal router",
      call: () => forEther(me, "0.5"),
      prepare: (chain) => allow(chain, me, "USDC"),
      because: ["intent_alignment.fair_return"],
    },
  ];
};
