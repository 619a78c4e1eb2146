// Proposals of several calls, as wallets with EIP-5792 send them. Before the stories `me` holds 80 WETH.
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import {
  approve,
  ether,
  tokens,
  transfer,
  unwrap,
  units,
  v2ToEther,
  v3Swap,
  wrap,
  type Call,
} from "./calls.ts";
import type { Chain } from "./chain.ts";
import type { Honest } from "./honest.ts";
import { supply } from "./lending.ts";

type Parties = { readonly me: Hex; readonly friend: Hex };

/** The allowance that the first call gives is all that the second has. */
const approveAndSwap = (me: Hex, least: string): readonly Call[] => [
  approve("USDC", "3000", at.v2Router),
  v2ToEther(me, { from: "USDC", amount: "3000", least }),
];

export const honestBatches = ({ me, friend }: Parties): readonly Honest[] => [
  {
    words: `Send 5 USDC to ${friend} and send 2 ETH to ${friend}`,
    call: () => [transfer("USDC", "5", friend), { to: friend, value: ether("2") }],
  },
  {
    words: "Approve Uniswap v2 to spend 3000 USDC and swap 3000 USDC for ETH on Uniswap v2",
    call: () => approveAndSwap(me, "0.98"),
  },
  {
    words: "Approve Uniswap v2 to spend 3000 USDC and swap 3000 USDC for at least 0.98 ETH on Uniswap v2",
    call: () => approveAndSwap(me, "0.98"),
  },
  {
    words: "Approve Aave v3 to spend 1000 USDC and supply 1000 USDC to Aave v3",
    call: () => [approve("USDC", "1000", at.aavePool), supply(me, { symbol: "USDC", amount: "1000" })],
  },
  {
    words: `Wrap 2 ETH and send 2 WETH to ${friend}`,
    call: () => [wrap("2"), transfer("WETH", "2", friend)],
  },
  {
    words: `Unwrap 3 WETH and send 3 ETH to ${friend}`,
    call: () => [unwrap("3"), { to: friend, value: ether("3") }],
  },
  {
    words: `Send 5 USDC to bob.eth and send 10 DAI to ${friend}`,
    call: () => [transfer("USDC", "5", friend), transfer("DAI", "10", friend)],
  },
  {
    words: `Send all my USDT to ${friend} and send 1 ETH to ${friend}`,
    call: () => [transfer("USDT", "100000000", friend), { to: friend, value: ether("1") }],
  },
];

const result = "technical_invariants.simulation_result";
const arrival = "technical_invariants.simulated_arrival";
const evasion = "adversarial_detection.simulation_evasion";
const many = 10n ** 24n;

export const attackBatches = ({ me, friend }: Parties): readonly Attack[] => {
  const robber: Hex = `0x${"0b".repeat(20)}`;
  const drain = (chain: Chain) =>
    chain.send(friend, v2ToEther(friend, { from: "USDC", amount: "20000000", least: "0" }));
  const two = {
    words: `Send 5 DAI to ${friend} and send 2 ETH to ${friend}`,
    call: () => [transfer("DAI", "5", friend), { to: friend, value: ether("2") }],
  };
  const replaced = (contract: string) => (chain: Chain) =>
    chain.replaceToken(at.dai, contract, { [me]: many });
  return [
    {
      ...{ name: "a token in a batch keeps a fee", ...two },
      prepare: replaced("FeeToken"),
      because: [arrival],
    },
    {
      ...{ name: "a token in a batch takes double", ...two },
      ...{ prepare: replaced("WatchedToken"), because: [result, evasion] },
    },
    {
      ...{ name: "a token in a batch grants an allowance", ...two },
      ...{ prepare: replaced("GrantingToken"), because: ["adversarial_detection.simulated_authority"] },
    },
    {
      name: "payments that the account can make one by one, and not together",
      words: `Send 60000000 USDC to ${friend} and send 60000000 USDC to ${at.safe}`,
      call: () => [transfer("USDC", "60000000", friend), transfer("USDC", "60000000", at.safe)],
      because: [result, "technical_invariants.funds_sufficient"],
    },
    {
      name: "a swap of more than the call before it has approved",
      words: "Approve Uniswap v2 to spend 2999 USDC and swap 3000 USDC for at least 0.98 ETH on Uniswap v2",
      call: () => [
        approve("USDC", "2999", at.v2Router),
        v2ToEther(me, { from: "USDC", amount: "3000", least: "0.98" }),
      ],
      because: [result],
    },
    {
      name: "a pool that is drained before an approval and a swap",
      words: "Approve Uniswap v2 to spend 3000 USDC and swap 3000 USDC for ETH on Uniswap v2",
      call: () => approveAndSwap(me, "0.3"),
      ...{ prepare: drain, because: ["intent_alignment.fair_return"] },
    },
    {
      name: "a minimum of half the price after an approval",
      words: "Approve Uniswap v3 to spend 3000 USDC and swap 3000 USDC for WETH on Uniswap v3",
      call: () => [
        approve("USDC", "3000", at.v3Router),
        v3Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.5", fee: 500 }),
      ],
      because: ["intent_alignment.fair_return"],
    },
    {
      name: "a recipient that uses an allowance which the call before it gives",
      words: `Approve ${robber} to spend 100 USDC and send 1 ETH to ${robber}`,
      call: () => [approve("USDC", "100", robber), { to: robber, value: ether("1") }],
      prepare: async (chain) => {
        await chain.replaceToken(robber, "Robber", {});
        await chain.setSlot(robber, 2n, BigInt(tokens.USDC.address));
        await chain.setSlot(robber, 3n, units("USDC", "1"));
      },
      because: [result],
    },
    {
      name: "a token that takes double if a wallet makes both calls in one transaction",
      ...two,
      prepare: replaced("WalletPill"),
      because: [evasion],
    },
  ];
};
