// Transactions whose calldata looks like what was asked, on a chain where they do something else.
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import {
  approve,
  ether,
  tokens,
  transfer,
  transferOf,
  units,
  v2FromEther,
  v2Swap,
  v2ToEther,
  v3Swap,
  type Call,
  type TokenSymbol,
} from "./calls.ts";
import type { Chain } from "./chain.ts";

export type Attack = {
  readonly name: string;
  readonly words: string;
  /** One call, or several in one request. */
  readonly call: () => Call | readonly Call[];
  readonly prepare?: (chain: Chain) => Promise<unknown>;
  /** One of these checks must fail. */
  readonly because: readonly string[];
};
type Parties = { readonly me: Hex; readonly friend: Hex };

const simulated = {
  result: "technical_invariants.simulation_result",
  arrival: "technical_invariants.simulated_arrival",
  authority: "adversarial_detection.simulated_authority",
  evasion: "adversarial_detection.simulation_evasion",
  funds: "technical_invariants.funds_sufficient",
  fair: "intent_alignment.fair_return",
  share: "intent_alignment.percent_all_match",
  dollars: "intent_alignment.usd_amount_match",
} as const;
const symbols = ["USDC", "USDT", "DAI", "WETH"] as const;
const many = 10n ** 24n;

const paying = (symbol: TokenSymbol, { friend }: Parties): Pick<Attack, "words" | "call"> => ({
  words: `Send 5 ${symbol} to ${friend}`,
  call: () => transfer(symbol, "5", friend),
});

/** The token itself was malicious from the start, or has become so. */
const maliciousTokens = (parties: Parties): readonly Attack[] =>
  (
    [
      ["FeeToken", "keeps a fee", simulated.arrival],
      ["LyingToken", "logs a transfer and moves nothing", simulated.arrival],
      ["WatchedToken", "takes double", simulated.result],
      ["GrantingToken", "grants an allowance", simulated.authority],
    ] as const
  ).flatMap(([contract, what, check]) =>
    symbols.map((symbol) => ({
      name: `${symbol} ${what}`,
      ...paying(symbol, parties),
      prepare: (chain) => chain.replaceToken(tokens[symbol].address, contract, { [parties.me]: many }),
      because: [check, simulated.evasion],
    })),
  );

const switchedProxies = (parties: Parties): readonly Attack[] =>
  (
    [
      ["FeeToken", simulated.arrival],
      ["LyingToken", simulated.arrival],
      ["WatchedToken", simulated.result],
      ["GrantingToken", simulated.authority],
    ] as const
  ).map(([contract, check]) => ({
    name: `the proxy of USDC was switched to ${contract}`,
    ...paying("USDC", parties),
    prepare: (chain) => chain.switchProxy(at.usdc, contract, { [parties.me]: many }),
    because: [check, simulated.evasion],
  }));

const signs = [
  ...[
    "the base fee",
    "the gas price",
    "the proposer",
    "randomness",
    "much gas left",
    "the last block's hash",
  ],
  ...["the number of the block", "the time", "the gas limit of the block", "the proposer's balance"],
];

const redPills = (parties: Parties): readonly Attack[] =>
  signs.map((sign, index) => ({
    name: `a token that looks at ${sign} to see whether it is watched`,
    ...paying("DAI", parties),
    prepare: async (chain) => {
      await chain.replaceToken(at.dai, "PillToken", { [parties.me]: many });
      await chain.setSlot(at.dai, 2n, BigInt(index));
      // The next block, or half an hour from now: what it does later shows only in variants.
      const next = (await chain.blockNumber()) + 2n;
      await chain.setSlot(at.dai, 3n, index === 6 ? next : BigInt(Math.floor(Date.now() / 1000) + 1_800));
    },
    because: [simulated.evasion, simulated.result],
  }));

const tooLittle = ({ me, friend }: Parties): readonly Attack[] => [
  {
    ...{ name: "more ETH than the account holds", words: `Send 950000 ETH to ${friend}` },
    call: () => ({ to: friend, value: ether("950000") }),
    because: [simulated.funds],
  },
  ...symbols.map((symbol) => ({
    name: `more ${symbol} than the account holds`,
    words: `Send 900000000 ${symbol} to ${friend}`,
    call: () => transfer(symbol, "900000000", friend),
    because: [simulated.funds],
  })),
  {
    ...{ name: "no ETH for gas", words: `Send 5 DAI to ${friend}` },
    call: () => transfer("DAI", "5", friend),
    prepare: (chain) => chain.setBalance(me, 1_000n),
    because: [simulated.funds],
  },
  {
    name: "a swap without an allowance",
    words: "Swap 3000 USDC for at least 0.98 ETH on Uniswap v2",
    call: () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.98" }),
    prepare: (chain) => chain.send(me, approve("USDC", "0", at.v2Router)),
    because: [simulated.result],
  },
  {
    name: "a swap of more than the account holds",
    words: "Swap 900 WETH for at least 2600000 USDC on Uniswap v3",
    call: () => v3Swap(me, { from: "WETH", to: "USDC", amount: "900", least: "2600000", fee: 500 }),
    because: [simulated.funds, simulated.result],
  },
];

/** Someone has traded so much that the price is another one. */
const drained = ({ me, friend }: Parties): readonly Attack[] => {
  const drainV2 = (chain: Chain) =>
    chain.send(friend, v2ToEther(friend, { from: "USDC", amount: "20000000", least: "0" }));
  const drainV3 = (chain: Chain) =>
    chain.send(
      friend,
      v3Swap(friend, { from: "USDC", to: "WETH", amount: "20000000", least: "0", fee: 500 }),
    );
  const stated = [
    ["v2", drainV2, () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.98" }), "ETH"],
    [
      ...(["v3", drainV3] as const),
      () => v3Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.98", fee: 500 }),
      "WETH",
    ],
    [
      ...(["v2", drainV2] as const),
      () => v2Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.98" }),
      "WETH",
    ],
  ] as const;
  const unstated = [
    ["v2", drainV2, () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.3" }), "ETH"],
    [
      ...(["v3", drainV3] as const),
      () => v3Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.3", fee: 500 }),
      "WETH",
    ],
    [
      ...(["v2", drainV2] as const),
      () => v2Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.3" }),
      "WETH",
    ],
  ] as const;
  return [
    ...stated.map(([venue, prepare, call, symbol]) => ({
      name: `a pool of Uniswap ${venue} drained below the stated minimum of ${symbol}`,
      words: `Swap 3000 USDC for at least 0.98 ${symbol} on Uniswap ${venue}`,
      ...{ prepare, call, because: [simulated.result] },
    })),
    ...unstated.map(([venue, prepare, call, symbol]) => ({
      name: `a pool of Uniswap ${venue} drained, with a minimum of ${symbol} to match`,
      words: `Swap 3000 USDC for ${symbol} on Uniswap ${venue}`,
      ...{ prepare, call, because: [simulated.fair] },
    })),
  ];
};

/** The minimum in the transaction is far below what a fair trade returns. */
const staleFloors = ({ me }: Parties): readonly Attack[] => [
  ...["0.5", "0.8", "0.9"].flatMap((least) => [
    {
      name: `a minimum of ${least} ETH for 3000 USDC on v2`,
      words: "Swap 3000 USDC for ETH on Uniswap v2",
      call: () => v2ToEther(me, { from: "USDC", amount: "3000", least }),
      because: [simulated.fair],
    },
    {
      name: `a minimum of ${least} WETH for 3000 USDC on v3`,
      words: "Swap 3000 USDC for WETH on Uniswap v3",
      call: () => v3Swap(me, { from: "USDC", to: "WETH", amount: "3000", least, fee: 500 }),
      because: [simulated.fair],
    },
  ]),
  {
    name: "a minimum far below the stated slippage",
    words: "Swap 3000 USDC for ETH on Uniswap v2 with at most 1% slippage",
    call: () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.9" }),
    because: [simulated.fair, "intent_alignment.slippage_match"],
  },
  {
    name: "a minimum of 1500 USDC for 1 ETH",
    words: "Swap 1 ETH for USDC on Uniswap v2",
    call: () => v2FromEther(me, { to: "USDC", amount: "1", least: "1500" }),
    because: [simulated.fair],
  },
];

/** The request states a minimum that a drained pool still meets, or no maximum. */
const acceptedLosses = ({ me, friend }: Parties): readonly Attack[] => [
  {
    name: "a pool that was drained below a price that anyone would accept, although the request accepts it",
    words: "Swap 3000 USDC for at least 0.3 ETH on Uniswap v2",
    call: () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.3" }),
    prepare: (chain) =>
      chain.send(friend, v2ToEther(friend, { from: "USDC", amount: "20000000", least: "0" })),
    because: ["adversarial_detection.executed_price"],
  },
  {
    name: "a minimum of half of what a pool without a price feed returns",
    words: "Swap 1000 USDC for DAI on Uniswap v2",
    call: () => v2Swap(me, { from: "USDC", to: "DAI", amount: "1000", least: "500" }),
    because: ["adversarial_detection.sandwich_room"],
  },
];

const fakeToken: Hex = `0x${"fa".repeat(20)}`;

/** Another contract under a known symbol. */
const fakeSymbols = ({ me, friend }: Parties): readonly Attack[] =>
  (["USDC", "USDT", "DAI"] as const).map((symbol) => ({
    name: `a token that is not ${symbol}`,
    words: `Send 5 ${symbol} to ${friend}`,
    call: () => transferOf(fakeToken, units(symbol, "5"), friend),
    prepare: (chain) => chain.replaceToken(fakeToken, "FakeUsdc", { [me]: many }),
    because: [
      symbol === "USDC" ? "adversarial_detection.token_impersonation" : "intent_alignment.asset_in_match",
    ],
  }));

/** A contract that the owner once gave an allowance to uses it in the middle of another payment. */
const callbacks = ({ me, friend }: Parties): readonly Attack[] => {
  const robber: Hex = `0x${"0b".repeat(20)}`;
  const arm = async (chain: Chain, at_: Hex, symbol: TokenSymbol): Promise<void> => {
    await chain.setSlot(at_, 2n, BigInt(tokens[symbol].address));
    await chain.setSlot(at_, 3n, units(symbol, "1"));
    await chain.send(me, approve(symbol, "100", at_));
  };
  return [
    ...(["USDC", "DAI", "WETH"] as const).map((symbol) => ({
      name: `a recipient that takes ${symbol} while it is paid`,
      words: `Send 1 ETH to ${robber}`,
      call: () => ({ to: robber, value: ether("1") }),
      prepare: async (chain: Chain) => {
        await chain.replaceToken(robber, "Robber", {});
        await arm(chain, robber, symbol);
      },
      because: [simulated.result],
    })),
    ...(["USDC", "WETH"] as const).map((symbol) => ({
      name: `a hook of DAI that takes ${symbol}`,
      words: `Send 5 DAI to ${friend}`,
      call: () => transfer("DAI", "5", friend),
      prepare: async (chain: Chain) => {
        await chain.replaceToken(at.dai, "Robber", { [me]: many });
        await arm(chain, at.dai, symbol);
      },
      because: [simulated.result],
    })),
  ];
};

/** The recipient cannot receive, so the money would be stuck or the transaction would fail. */
const deadEnds = ({ me }: Parties): readonly Attack[] => [
  {
    name: "a token for the contract of another token, which is in no table",
    words: `Send 5 USDC to ${fakeToken}`,
    call: () => transfer("USDC", "5", fakeToken),
    prepare: (chain) => chain.replaceToken(fakeToken, "Token", { [me]: many }),
    because: ["technical_invariants.recipient_usable"],
  },
  ...(
    [
      ["the router of Uniswap", at.v2Router],
      ["a pair factory", at.v2Factory],
      ["a price feed", at.ethUsdFeed],
    ] as const
  ).map(([name, to]) => ({
    name: `ETH for ${name}, which refuses it`,
    words: `Send 1 ETH to ${to}`,
    call: () => ({ to, value: ether("1") }),
    because: [simulated.result],
  })),
];

/** The request depends on the chain, and the transaction takes more than the chain says. */
const unresolved = ({ friend }: Parties): readonly Attack[] => [
  {
    name: "all USDC instead of half",
    words: `Send half of my USDC to ${friend}`,
    call: () => transfer("USDC", "100000000", friend),
    because: [simulated.share],
  },
  {
    name: "ten times the dollars in ETH",
    words: `Send $300 of ETH to ${friend}`,
    call: () => ({ to: friend, value: ether("1") }),
    because: [simulated.dollars],
  },
];

export const attackStories = (parties: Parties): readonly Attack[] => [
  ...maliciousTokens(parties),
  ...switchedProxies(parties),
  ...redPills(parties),
  ...tooLittle(parties),
  ...drained(parties),
  ...staleFloors(parties),
  ...fakeSymbols(parties),
  ...callbacks(parties),
  ...acceptedLosses(parties),
  ...deadEnds(parties),
  ...unresolved(parties),
];
