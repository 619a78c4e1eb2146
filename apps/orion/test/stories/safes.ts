// Requests that a Safe executes. Its owner sends the transaction and pays for the gas; the money is the Safe's.
import { concatHex, encodeFunctionData, encodePacked, padHex, parseAbi, size, zeroAddress } from "viem";
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import { approve, ether, tokens, transfer, v2ToEther, type Call } from "./calls.ts";
import type { Chain } from "./chain.ts";
import type { Honest } from "./honest.ts";

type Parties = {
  readonly me: Hex;
  readonly friend: Hex;
  /** Known once the world is built. One signature of `me` is enough for it. */
  readonly safe: () => Hex;
};

const abi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function multiSend(bytes transactions)",
]);

type Options = { readonly operation?: number; readonly gas?: bigint };

/** Signed by the owner who sends it. */
const execute = ({ me, safe }: Parties, call: Call, { operation = 0, gas = 0n }: Options = {}): Call => ({
  to: safe(),
  data: encodeFunctionData({
    ...{ abi, functionName: "execTransaction" },
    args: [
      ...([call.to, call.value ?? 0n, call.data ?? "0x", operation, gas, 0n, 0n] as const),
      ...([
        zeroAddress,
        zeroAddress,
        concatHex([padHex(me, { size: 32 }), padHex("0x", { size: 32 }), "0x01"]),
      ] as const),
    ],
  }),
});

/** The calldata of MultiSend. */
export function packCalls(calls: readonly Call[]): Hex {
  const packed = calls.map(({ to, value = 0n, data = "0x" }) =>
    encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [0, to, value, BigInt(size(data)), data],
    ),
  );
  return encodeFunctionData({ abi, functionName: "multiSend", args: [concatHex(packed)] });
}

const batch = (parties: Parties, calls: readonly Call[]): Call =>
  execute(parties, { to: at.multiSendCallOnly, data: packCalls(calls) }, { operation: 1 });

export const honestSafes = (parties: Parties): readonly Honest[] => {
  const { friend, safe } = parties;
  return [
    {
      words: `Send 5 USDC from my Safe to ${friend}`,
      call: () => execute(parties, transfer("USDC", "5", friend)),
    },
    {
      words: `Send 2 ETH from my Safe to ${friend}`,
      call: () => execute(parties, { to: friend, value: ether("2") }),
    },
    {
      words: `Send 250 USDC from our multisig to ${friend}`,
      call: () => execute(parties, transfer("USDC", "250", friend)),
    },
    {
      words: "Send 5 USDC from my Safe to bob.eth",
      call: () => execute(parties, transfer("USDC", "5", friend)),
    },
    {
      words: `From my Safe, send 5 USDC to ${friend} and send 2 ETH to ${friend}`,
      call: () => batch(parties, [transfer("USDC", "5", friend), { to: friend, value: ether("2") }]),
    },
    {
      words:
        "From my Safe, approve Uniswap v2 to spend 3000 USDC and swap 3000 USDC for at least 0.98 ETH on Uniswap v2",
      call: () =>
        batch(parties, [
          approve("USDC", "3000", at.v2Router),
          v2ToEther(safe(), { from: "USDC", amount: "3000", least: "0.98" }),
        ]),
    },
  ];
};

const result = "technical_invariants.simulation_result";
const arrival = "technical_invariants.simulated_arrival";
const evasion = "adversarial_detection.simulation_evasion";
const many = 10n ** 24n;

export const attackSafes = (parties: Parties): readonly Attack[] => {
  const { me, friend, safe } = parties;
  const words = `Send 5 USDC from my Safe to ${friend}`;
  const paying = (): Call => execute(parties, transfer("USDC", "5", friend));
  const replaced = (contract: string) => (chain: Chain) =>
    chain.switchProxy(at.usdc, contract, { [safe()]: many });
  const robber: Hex = `0x${"0b".repeat(20)}`;
  return [
    {
      ...{ name: "USDC of a Safe keeps a fee", words, call: paying },
      ...{ prepare: replaced("FeeToken"), because: [arrival] },
    },
    {
      ...{ name: "USDC of a Safe takes double", words, call: paying },
      ...{ prepare: replaced("WatchedToken"), because: [result, evasion] },
    },
    {
      ...{ name: "USDC of a Safe grants an allowance", words, call: paying },
      prepare: replaced("GrantingToken"),
      because: ["adversarial_detection.simulated_authority"],
    },
    {
      name: "USDC in a batch of a Safe keeps a fee",
      words: `${words} and send 2 ETH to ${friend}`,
      call: () => batch(parties, [transfer("USDC", "5", friend), { to: friend, value: ether("2") }]),
      ...{ prepare: replaced("FeeToken"), because: [arrival] },
    },
    {
      name: "a call of a Safe that fails while its transaction succeeds",
      words: `Send 900000000 USDC from my Safe to ${friend}`,
      call: () => execute(parties, transfer("USDC", "900000000", friend), { gas: 200_000n }),
      because: [result, "technical_invariants.funds_sufficient"],
    },
    {
      ...{ name: "a Safe that needs another signature", words, call: paying },
      prepare: (chain) => chain.setSlot(safe(), 4n, 2n),
      because: [result],
    },
    {
      name: "a recipient of a Safe that takes from the owner who sends",
      words: `Send 1 ETH from my Safe to ${robber}`,
      call: () => execute(parties, { to: robber, value: ether("1") }),
      prepare: async (chain) => {
        await chain.replaceToken(robber, "Robber", {});
        await chain.setSlot(robber, 2n, BigInt(tokens.USDC.address));
        await chain.setSlot(robber, 3n, 1_000_000n);
        await chain.send(me, approve("USDC", "100", robber));
      },
      because: [result],
    },
  ];
};
