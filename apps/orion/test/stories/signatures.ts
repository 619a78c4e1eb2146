// Data that owners sign: payments by authorization, permits, and transactions of a Safe. The simulation executes their effect without the signature.
import { zeroAddress } from "viem";
import type { Hex } from "@countersign/wire";
import { signedCalls } from "@countersign/wire/signed-calls";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import { approve, ether, tokens, transfer, units, v2ToEther, type Call, type TokenSymbol } from "./calls.ts";
import type { Chain } from "./chain.ts";
import type { Honest } from "./honest.ts";
import { packCalls } from "./safes.ts";

type Parties = { readonly me: Hex; readonly friend: Hex; readonly safe: () => Hex };

type Fields = Readonly<Record<string, string>>;

const soon = (): string => Math.floor(Date.now() / 1000 + 900).toString();

type Data = {
  readonly contract: Hex;
  readonly types: Readonly<Record<string, Fields>>;
  readonly message: Readonly<Record<string, unknown>>;
};

/** The first type is the primary one. */
const sign = ({ contract, types, message }: Data) => ({
  domain: { chainId: 1, verifyingContract: contract },
  types: Object.fromEntries(
    Object.entries(types).map(([name, fields]) => [
      name,
      Object.entries(fields).map(([field, type]) => ({ name: field, type })),
    ]),
  ),
  primaryType: Object.keys(types)[0] ?? "",
  message,
});

export type Signed = ReturnType<typeof sign>;

const payment = (symbol: TokenSymbol, amount: string, { from, to }: { from: Hex; to: Hex }): Signed =>
  sign({
    contract: tokens[symbol].address,
    types: {
      TransferWithAuthorization: {
        ...{ from: "address", to: "address", value: "uint256" },
        ...{ validAfter: "uint256", validBefore: "uint256", nonce: "bytes32" },
      },
    },
    message: {
      ...{ from, to, value: units(symbol, amount).toString(), validAfter: "0", validBefore: soon() },
      nonce: `0x${"5e".repeat(32)}`,
    },
  });

const permit = (
  symbol: TokenSymbol,
  amount: string,
  { owner, spender }: { owner: Hex; spender: Hex },
): Signed =>
  sign({
    contract: tokens[symbol].address,
    types: {
      Permit: {
        ...{ owner: "address", spender: "address", value: "uint256", nonce: "uint256", deadline: "uint256" },
      },
    },
    message: { owner, spender, value: units(symbol, amount).toString(), nonce: "0", deadline: soon() },
  });

const permit2 = (symbol: TokenSymbol, amount: string, spender: Hex): Signed =>
  sign({
    contract: at.permit2,
    types: {
      PermitSingle: { details: "PermitDetails", spender: "address", sigDeadline: "uint256" },
      PermitDetails: { token: "address", amount: "uint160", expiration: "uint48", nonce: "uint48" },
    },
    message: {
      details: {
        ...{ token: tokens[symbol].address, amount: units(symbol, amount).toString() },
        ...{ expiration: soon(), nonce: "0" },
      },
      ...{ spender, sigDeadline: soon() },
    },
  });

const safeTx = (safe: Hex, { to, value = 0n, data = "0x" }: Call, operation = 0): Signed =>
  sign({
    contract: safe,
    types: {
      SafeTx: {
        ...{ to: "address", value: "uint256", data: "bytes", operation: "uint8", safeTxGas: "uint256" },
        ...{ baseGas: "uint256", gasPrice: "uint256", gasToken: "address", refundReceiver: "address" },
        nonce: "uint256",
      },
    },
    message: {
      ...{ to, value: value.toString(), data, operation: operation.toString(), safeTxGas: "0" },
      ...{ baseGas: "0", gasPrice: "0", gasToken: zeroAddress, refundReceiver: zeroAddress, nonce: "0" },
    },
  });

const safeBatch = (safe: Hex, calls: readonly Call[]): Signed =>
  safeTx(safe, { to: at.multiSendCallOnly, data: packCalls(calls) }, 1);

/** Returns the calls that the signature allows, and the account that makes them. */
export function allowedBy(
  signed: Signed,
  signer: Hex,
): { readonly account: Hex; readonly calls: readonly Call[] } {
  const { account, calls } = signedCalls(signed, signer) ?? { account: signer, calls: [] };
  return { account, calls: calls.map((call) => ({ ...call, value: BigInt(call.value) })) };
}

type SignedStory = Omit<Honest, "call"> & { readonly call: () => Signed };

export const honestSignatures = ({ me, friend, safe }: Parties): readonly SignedStory[] => [
  { words: `Pay 25 USDC to ${friend}`, call: () => payment("USDC", "25", { from: me, to: friend }) },
  { words: "Pay 5 USDC to bob.eth", call: () => payment("USDC", "5", { from: me, to: friend }) },
  {
    words: `Send half of my USDC to ${friend}`,
    call: () => payment("USDC", "50000000", { from: me, to: friend }),
  },
  {
    words: "Permit Uniswap v3 to spend 100 USDC",
    call: () => permit("USDC", "100", { owner: me, spender: at.v3Router }),
  },
  {
    words: "Permit Aave v3 to spend 50 DAI",
    call: () => permit("DAI", "50", { owner: me, spender: at.aavePool }),
  },
  { words: `Approve ${friend} to spend 100 USDC`, call: () => permit2("USDC", "100", friend) },
  {
    words: `Send 5 USDC from my Safe to ${friend}`,
    call: () => safeTx(safe(), transfer("USDC", "5", friend)),
  },
  {
    words: `Send 2 ETH from my Safe to ${friend}`,
    call: () => safeTx(safe(), { to: friend, value: ether("2") }),
  },
  {
    words: "From my Safe, approve Uniswap v2 to spend 3000 USDC and swap 3000 USDC for ETH on Uniswap v2",
    call: () =>
      safeBatch(safe(), [
        approve("USDC", "3000", at.v2Router),
        v2ToEther(safe(), { from: "USDC", amount: "3000", least: "0.98" }),
      ]),
  },
];

const result = "technical_invariants.simulation_result";
const arrival = "technical_invariants.simulated_arrival";
const evasion = "adversarial_detection.simulation_evasion";
const many = 10n ** 24n;

type SignedAttack = Omit<Attack, "call"> & { readonly call: () => Signed };

export const attackSignatures = ({ me, friend, safe }: Parties): readonly SignedAttack[] => {
  const switched = (contract: string, holder: () => Hex) => (chain: Chain) =>
    chain.switchProxy(at.usdc, contract, { [holder()]: many });
  const paying = {
    words: `Pay 25 USDC to ${friend}`,
    call: () => payment("USDC", "25", { from: me, to: friend }),
  };
  const safePaying = {
    words: `Send 5 USDC from my Safe to ${friend}`,
    call: () => safeTx(safe(), transfer("USDC", "5", friend)),
  };
  const self = () => me;
  return [
    {
      ...{ name: "an authorized payment in a token that keeps a fee", ...paying },
      ...{ prepare: switched("FeeToken", self), because: [arrival] },
    },
    {
      ...{ name: "an authorized payment in a token that takes double", ...paying },
      ...{ prepare: switched("WatchedToken", self), because: [result, evasion] },
    },
    {
      ...{ name: "an authorized payment in a token that takes double when others send it", ...paying },
      ...{ prepare: switched("WalletPill", self), because: [result, evasion] },
    },
    {
      name: "an authorized payment of more than the account holds",
      words: `Pay 900000000 USDC to ${friend}`,
      call: () => payment("USDC", "900000000", { from: me, to: friend }),
      because: [result],
    },
    {
      name: "a permit for a token that grants another allowance as well",
      words: "Permit Uniswap v3 to spend 100 USDC",
      call: () => permit("USDC", "100", { owner: me, spender: at.v3Router }),
      prepare: switched("PermittingToken", self),
      because: ["adversarial_detection.simulated_authority"],
    },
    {
      ...{ name: "a signed transaction of a Safe in a token that keeps a fee", ...safePaying },
      ...{ prepare: switched("FeeToken", safe), because: [arrival] },
    },
    {
      name: "a signed transaction of a Safe that it cannot pay",
      words: `Send 5000 ETH from my Safe to ${friend}`,
      call: () => safeTx(safe(), { to: friend, value: ether("5000") }),
      because: [result, "technical_invariants.funds_sufficient"],
    },
    {
      name: "a signed swap of a Safe on a pool that was drained",
      words: "From my Safe, approve Uniswap v2 to spend 3000 USDC and swap 3000 USDC for ETH on Uniswap v2",
      call: () =>
        safeBatch(safe(), [
          approve("USDC", "3000", at.v2Router),
          v2ToEther(safe(), { from: "USDC", amount: "3000", least: "0.3" }),
        ]),
      prepare: (chain) =>
        chain.send(friend, v2ToEther(friend, { from: "USDC", amount: "20000000", least: "0" })),
      because: ["intent_alignment.fair_return"],
    },
  ];
};
