// Requests about contracts that are in no table, which only their effect on a proven state can answer.
import { encodeAbiParameters, keccak256 } from "viem";
import type { Hex } from "@countersign/wire";
import { compileContracts } from "../../../../packages/evm/test/compile.ts";
import { approve, ether, tokens, transfer, units, type Call, type TokenSymbol } from "./calls.ts";
import type { Chain } from "./chain.ts";

export type Story = {
  readonly name: string;
  readonly words: string;
  readonly call: () => Call;
  readonly prepare: (chain: Chain) => Promise<unknown>;
};
export type Attack = Story & {
  /** Part of the reason. */
  readonly why: RegExp;
};
type Parties = { readonly me: Hex; readonly friend: Hex };

const source = "unknown-contracts.sol";
const codeOf = (contract: string): Hex => compileContracts(source).codeOf(contract);
const encode = (contract: string, name: string, ...args: readonly unknown[]): Hex =>
  compileContracts(source).encode(contract, name, ...args);

const desk: Hex = `0x${"d35c".repeat(10)}`;
const vault: Hex = `0x${"7a11".repeat(10)}`;
const implementation: Hex = `0x${"1a2b".repeat(10)}`;
const collection: Hex = `0x${"c011".repeat(10)}`;
const share: Hex = `0x${"5ba2".repeat(10)}`;
const accomplice: Hex = `0x${"acc0".repeat(10)}`;
const thief: Hex = `0x${"7e1f".repeat(10)}`;

/** EIP-1967. */
const implementationSlot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;
const mapped = (holder: Hex, slot: bigint): bigint =>
  BigInt(keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [holder, slot])));

type Asset = TokenSymbol | "ETH" | Hex;
const addressOf = (asset: Asset): Hex => {
  if (asset === "ETH") return "0x0";
  return asset.startsWith("0x") ? (asset as Hex) : tokens[asset as TokenSymbol].address;
};

type Terms = {
  readonly contract?: string;
  readonly at?: Hex;
  readonly taken?: Asset;
  readonly given?: Asset;
  /** Base units that are given for 10^6 base units. */
  readonly price?: bigint;
  readonly extra?: Hex;
  readonly amountOfExtra?: bigint;
  readonly partner?: Hex;
};

const usdcInEther = 33n * 10n ** 13n;

/** Places a contract with money of the world, to which the account has given allowances before. */
const open =
  ({ me, friend }: Parties, terms: Terms = {}) =>
  async (chain: Chain): Promise<void> => {
    const { contract = "Desk", at = desk, taken = "USDC", given = "ETH", price = usdcInEther } = terms;
    const { extra = "0x0", amountOfExtra = 0n, partner = thief } = terms;
    await chain.setCode(at, codeOf(contract));
    const slots = [addressOf(taken), addressOf(given), price, partner, extra, amountOfExtra];
    for (const [slot, value] of slots.entries()) await chain.setSlot(at, BigInt(slot), BigInt(value));
    await chain.setBalance(at, ether("50"));
    for (const symbol of ["USDC", "DAI"] as const) await chain.send(friend, transfer(symbol, "50000", at));
    await chain.send(me, transfer("WETH", "10", at));
    for (const symbol of ["USDC", "DAI", "USDT", "WETH"] as const)
      await chain.send(me, approve(symbol, "100000", at));
  };

const trade = (amount: bigint, at = desk): Call => ({ to: at, data: encode("Desk", "tradeAtDesk", amount) });
const pay = (amount: bigint, value = 0n): Call => ({
  ...{ to: desk, value },
  data: encode("Desk", "settleInvoice", amount, keccak256("0x01")),
});
const hundred = units("USDC", "100");

const swap = (): Pick<Story, "words" | "call"> => ({
  words: `Swap 100 USDC for at least 0.03 ETH on ${desk}`,
  call: () => trade(hundred),
});

/** Places a vault that is the token of its own shares. Each is worth 1 USDC. */
const openVault = (parties: Parties, contract = "Shares") =>
  open(parties, { contract, at: vault, price: 10n ** 8n });
const enter = (amount: string): Call => ({
  to: vault,
  data: encode("Shares", "enterVault", units("USDC", amount)),
});

/** Places a token that is in no table. The desk has some of it. */
const placeShare = async (chain: Chain, wanted: Hex = "0x0"): Promise<void> => {
  await chain.setCode(share, codeOf("HookedToken"));
  await chain.setSlot(share, mapped(desk, 0n), ether("1000"));
  await chain.setSlot(share, 1n, BigInt(wanted));
};

const placeProxy =
  (parties: Parties, contract: string, terms: Terms = {}) =>
  async (chain: Chain): Promise<void> => {
    await open(parties, terms)(chain);
    await chain.setCode(implementation, codeOf(contract));
    await chain.setCode(desk, codeOf("Proxy"));
    await chain.setSlot(desk, implementationSlot, BigInt(implementation));
  };

export const honestStories = (parties: Parties): readonly Story[] => [
  { name: "a swap", ...swap(), prepare: open(parties) },
  {
    name: "a swap of a maximum",
    words: `Sell at most 3000 USDC on ${desk} for at least 0.9 ETH`,
    call: () => trade(units("USDC", "2990")),
    prepare: open(parties),
  },
  {
    name: "a purchase",
    words: `Buy at least 0.03 ETH with 100 USDC via the contract ${desk}`,
    call: () => trade(hundred),
    prepare: open(parties),
  },
  {
    name: "a swap of the native token",
    words: `Swap 1 ETH for at least 2900 DAI on ${desk}`,
    call: () => ({ ...trade(ether("1")), value: ether("1") }),
    prepare: open(parties, { taken: "ETH", given: "DAI", price: 3_000n * 10n ** 6n }),
  },
  {
    name: "a swap between tokens",
    words: `Swap 500 DAI for at least 0.15 WETH using contract ${desk}`,
    call: () => trade(units("DAI", "500")),
    prepare: open(parties, { taken: "DAI", given: "WETH", price: 330n }),
  },
  {
    name: "a swap of a token without a return value",
    words: `Swap 250 USDT for at least 240 DAI on ${desk}`,
    call: () => trade(units("USDT", "250")),
    prepare: open(parties, { taken: "USDT", given: "DAI", price: 98n * 10n ** 16n }),
  },
  {
    name: "a swap for another recipient",
    words: `Swap 100 USDC for at least 0.03 ETH on ${desk} to ${parties.friend}`,
    call: () => ({ to: desk, data: encode("Desk", "tradeAtDeskFor", hundred, parties.friend) }),
    prepare: open(parties),
  },
  {
    name: "a swap behind a proxy",
    ...swap(),
    prepare: placeProxy(parties, "Desk"),
  },
  {
    name: "a deposit into a vault",
    words: `Deposit 50 USDC into ${vault} and get at least 49 shares of ${vault}`,
    call: () => enter("50"),
    prepare: openVault(parties),
  },
  {
    name: "a deposit for a token of another contract",
    words: `Deposit 50 USDC into ${desk} and receive at least 49 shares of ${share}`,
    call: () => trade(units("USDC", "50")),
    prepare: async (chain) => {
      await open(parties, { given: share, price: 10n ** 18n })(chain);
      await placeShare(chain);
    },
  },
  {
    name: "a redemption",
    words: `Redeem 10 shares of ${vault} for at least 9.9 USDC on ${vault}`,
    call: () => ({ to: vault, data: encode("Shares", "leaveVault", 10n ** 9n) }),
    prepare: async (chain) => {
      await openVault(parties)(chain);
      await chain.send(parties.me, enter("40"));
    },
  },
  {
    name: "a payment",
    words: `Pay 25 USDC to ${desk}`,
    call: () => pay(units("USDC", "25")),
    prepare: open(parties),
  },
  {
    name: "a payment of the native token",
    words: `Pay 0.1 ETH to ${desk}`,
    call: () => pay(ether("0.1"), ether("0.1")),
    prepare: open(parties, { taken: "ETH" }),
  },
  {
    name: "a donation",
    words: `Donate 40 DAI to ${desk}`,
    call: () => pay(units("DAI", "40")),
    prepare: open(parties, { taken: "DAI" }),
  },
  {
    name: "a claim",
    words: `Claim at least 10 USDC from ${desk}`,
    call: () => ({ to: desk, data: encode("Desk", "collectReward") }),
    prepare: open(parties, { given: "USDC", price: units("USDC", "12") }),
  },
];

/** A trade as it was asked for, with something else in it. */
const malicious = (parties: Parties): readonly Attack[] =>
  (
    [
      ["takes another token as well", "TakesOtherToken", /also changes/],
      ["takes more of the token", "TakesMore", /110 USDC/],
      ["returns less than the minimum", "ReturnsLess", /Only 0.0297 ETH arrives/],
      ["returns nothing", "ReturnsNothing", /No ETH arrives/],
      ["pays another account", "PaysAnother", /No ETH arrives/],
      ["upgrades a contract", "UpgradesItself", /changes the implementation/],
      ["changes an owner", "ChangesOwner", /changes the owner/],
    ] as const
  ).map(([what, contract, why]) => ({
    name: `a desk that ${what}`,
    ...swap(),
    prepare: open(parties, { contract, extra: tokens.DAI.address, amountOfExtra: ether("5") }),
    why,
  }));

const signs = [
  ...["the base fee", "the gas price", "the proposer", "randomness"],
  ...["the gas left", "the gas limit of the block", "the time"],
];

const redPills = (parties: Parties): readonly Attack[] =>
  signs.map((sign, index) => ({
    name: `a desk that looks at ${sign} to see whether it is watched`,
    ...swap(),
    prepare: open(parties, {
      ...{ contract: "RedPill", extra: tokens.DAI.address, amountOfExtra: BigInt(index) },
    }),
    // Some of them take at once.
    why: /behaves differently|also changes/,
  }));

/** Things that are no ERC-20 balance, and a token that logs nothing. */
const otherAssets = (parties: Parties): readonly Attack[] => [
  {
    name: "a desk that sells an NFT of the account",
    ...swap(),
    prepare: async (chain) => {
      await open(parties, { contract: "SellsItem", extra: collection, amountOfExtra: 7n })(chain);
      await chain.setCode(collection, codeOf("Collection"));
      await chain.setSlot(
        collection,
        BigInt(keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [7n, 0n]))),
        BigInt(parties.me),
      );
    },
    why: /It moves NFT/,
  },
  {
    name: "a desk that sets an operator for a collection",
    ...swap(),
    prepare: async (chain) => {
      await open(parties, { contract: "SetsOperator", extra: collection })(chain);
      await chain.setCode(collection, codeOf("Collection"));
    },
    why: /leaves an allowance/,
  },
  {
    name: "a desk that leaves an unlimited allowance of a token",
    ...swap(),
    prepare: async (chain) => {
      await open(parties, { contract: "SetsOperator", extra: share })(chain);
      await chain.setCode(share, codeOf("OpenToken"));
    },
    why: /leaves an allowance/,
  },
  {
    name: "a desk that takes a token without an event",
    ...swap(),
    prepare: async (chain) => {
      await open(parties, { contract: "SellsItem", extra: share, amountOfExtra: 5n })(chain);
      await chain.setCode(share, codeOf("OpenToken"));
      await chain.setSlot(share, mapped(parties.me, 0n), 100n);
    },
    why: /also changes/,
  },
];

const throughOthers = (parties: Parties): readonly Attack[] => [
  {
    name: "a hook of the token that arrives",
    words: `Deposit 50 USDC into ${desk} and receive at least 49 shares of ${share}`,
    call: () => trade(units("USDC", "50")),
    prepare: async (chain) => {
      await open(parties, { given: share, price: 10n ** 18n })(chain);
      await placeShare(chain, tokens.DAI.address);
      await chain.send(parties.me, approve("DAI", "10", share));
    },
    why: /also changes/,
  },
  {
    name: "a desk that calls a contract with an old allowance",
    ...swap(),
    prepare: async (chain) => {
      await open(parties, { contract: "CallsBack", partner: accomplice })(chain);
      await chain.setCode(accomplice, codeOf("Accomplice"));
      await chain.setSlot(accomplice, 0n, BigInt(tokens.WETH.address));
      await chain.setSlot(accomplice, 1n, 1n);
      await chain.send(parties.me, approve("WETH", "1", accomplice));
    },
    why: /also changes/,
  },
  {
    name: "a proxy that was switched",
    ...swap(),
    prepare: placeProxy(parties, "TakesOtherToken", {
      ...{ extra: tokens.DAI.address, amountOfExtra: ether("1") },
    }),
    why: /also changes/,
  },
  {
    name: "a desk that keeps a fee below the minimum",
    words: `Swap 100 USDC for at least 0.0325 ETH on ${desk}`,
    call: () => trade(hundred),
    prepare: open(parties, { contract: "KeepsFee" }),
    why: /Only 0.03201 ETH arrives/,
  },
  {
    name: "a payment that is passed on",
    words: `Pay 25 USDC to ${desk}`,
    call: () => pay(units("USDC", "25")),
    prepare: open(parties, { contract: "PassesOn" }),
    why: /does not keep/,
  },
  {
    name: "a payment in a token that keeps a fee",
    words: `Pay 40 DAI to ${desk}`,
    call: () => pay(units("DAI", "40")),
    prepare: async (chain) => {
      await open(parties, { taken: "DAI" })(chain);
      await chain.replaceToken(tokens.DAI.address, "FeeToken", { [parties.me]: ether("1000") });
      await chain.send(parties.me, approve("DAI", "100", desk));
    },
    why: /does not keep/,
  },
  {
    name: "a vault that logs shares and credits none",
    words: `Deposit 50 USDC into ${vault} and get at least 49 shares of ${vault}`,
    call: () => enter("50"),
    prepare: openVault(parties, "EmptyShares"),
    why: /does not confirm/,
  },
];

const otherRequests = (parties: Parties): readonly Attack[] => [
  {
    name: "a contract that the request does not name",
    words: `Swap 100 USDC for at least 0.03 ETH on ${vault}`,
    call: () => trade(hundred),
    prepare: open(parties),
    why: /does not name the contract/,
  },
  {
    name: "a request without a minimum",
    words: `Swap 100 USDC for ETH on ${desk}`,
    call: () => trade(hundred),
    prepare: open(parties),
    why: /does not state a minimum/,
  },
  {
    name: "a recipient that the request does not name",
    ...swap(),
    call: () => ({ to: desk, data: encode("Desk", "tradeAtDeskFor", hundred, parties.friend) }),
    prepare: open(parties),
    why: /No ETH arrives/,
  },
  {
    name: "a trade that fails",
    ...swap(),
    prepare: async (chain) => {
      await open(parties)(chain);
      await chain.setBalance(desk, 0n);
    },
    why: /would fail/,
  },
  {
    name: "an account whose delegated code (EIP-7702) pays another one when it receives",
    ...swap(),
    prepare: async (chain) => {
      await open(parties)(chain);
      await chain.setCode(implementation, codeOf("Delegate"));
      await chain.setCode(parties.me, `0xef0100${implementation.slice(2)}`);
      await chain.setSlot(parties.me, 0n, BigInt(tokens.DAI.address));
      await chain.setSlot(parties.me, 1n, BigInt(thief));
    },
    why: /also changes/,
  },
];

export const attackStories = (parties: Parties): readonly Attack[] => [
  ...malicious(parties),
  ...redPills(parties),
  ...otherAssets(parties),
  ...throughOthers(parties),
  ...otherRequests(parties),
];
