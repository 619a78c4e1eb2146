/** Hop: a bridge contract for each token on the first layer, and one in front of a pool on the others. */
import { exactly, native, token, unsaid, type Asset } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsAll, feedsWhen } from "../uses.ts";
import { bridgeVerbs, chainOf, cross, least } from "./shared/bridging.ts";

/** chain → contract → the token it takes. */
const bridges: Readonly<Record<number, Readonly<Record<Address, Address | "coin">>>> = {
  1: {
    "0x3666f603cc164936c1b87e207f36beba4ac5f18a": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // USDC.e
    "0x3e4a3a4796d16c0cd582c382691998f7c06420b6": "0xdac17f958d2ee523a2206206994597c13d831ec7", // USDT
    "0x22b1cbb8d98a01a3b71d034bb899775a76eb1cc2": "0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0", // MATIC
    "0x3d4cc8a61c7528fd86c55cfe061a78dcba48edd1": "0x6b175474e89094c44da98b954eedeac495271d0f", // DAI
    "0xb8901acb165ed027e32754e0ffe830802919727f": "coin", // ETH
  },
  10: {
    "0x2ad09850b0ca4c7c1b33f5acd6cbabcab5d6e796": "0x7f5c764cbc14f9669b88837ca1490cca17c31607", // USDC.e
    "0x7d269d3e0d61a05a0ba976b7dbf8805bf844af3f": "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58", // USDT
    "0xb3c68a491608952cb1257fc9909a537a0173b63b": "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", // DAI
    "0x86ca30bef97fb651b8d866d45503684b90cb3312": "coin", // ETH
  },
  100: {
    "0x76b22b8c1079a44f1211d867d68b1eda76a635a7": "0xddafbb505ad214d7b80b1f830fccc89b60fb7a83", // USDC.e
    "0x49094a1b3463c4e2e82ca41b8e6a023bdd6e222f": "0x4ecaba5870353805a9f068101a40e0f32ed605c6", // USDT
    "0x86ca30bef97fb651b8d866d45503684b90cb3312": "0x7122d7661c4564b7c6cd4878b06766489a6028a2", // MATIC
    "0x6c928f435d1f3329babb42d69ccf043e3900ecf1": "coin", // DAI
    "0x03d7f750777ec48d39d080b020d83eb2cb4e3547": "0x6a023ccd1ff6f2045c3309768ead9e68f978f6e1", // ETH
  },
  137: {
    "0x76b22b8c1079a44f1211d867d68b1eda76a635a7": "0x2791bca1f2de4661ed88a30c99a7a9449aa84174", // USDC.e
    "0x8741ba6225a6bf91f9d73531a98a89807857a2b3": "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", // USDT
    "0x884d1aa15f9957e1aeaa86a82a72e49bc2bfcbe3": "coin", // MATIC
    "0x28529fec439cff6d7d1d5917e956dee62cd3be5c": "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", // DAI
    "0xc315239cfb05f1e130e7e28e603cea4c014c57f0": "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619", // ETH
  },
  8453: {
    "0x7d269d3e0d61a05a0ba976b7dbf8805bf844af3f": "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", // USDC.e
    "0x10541b07d8ad2647dc6cd67abd4c03575dade261": "coin", // ETH
  },
  42161: {
    "0xe22d2bedb3eca35e6397e0c6d62857094aa26f52": "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8", // USDC.e
    "0xcb0a4177e0a60247c0ad18be87f8edff6dd30283": "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", // USDT
    "0xe7f40bf16ab09f4a6906ac2caa4094ad2da48cc2": "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", // DAI
    "0x33ceb27b39d2bb7d2e61f7564d3df29344020417": "coin", // ETH
  },
  59144: {
    "0xc8a4fb931e8d77df8497790381ca7d228e68a41b": "coin", // ETH
  },
};

const taken = (call: CallView): Asset => {
  const held = bridges[call.chain]?.[call.to];
  if (held === undefined) throw new Error("the bridge is not known");
  return held === "coin" ? native : token(held);
};

type Sent = {
  readonly chain: bigint;
  readonly receiver: Address;
  readonly amount: bigint;
  readonly least: bigint;
  readonly leastAt: string;
  /** Hop's own token arrives, not the one that was sent. */
  readonly unswapped: boolean;
  readonly deadline: bigint;
  readonly fees: NonNullable<Draft["fees"]>;
};

const OWN = unsaid("Hop's own token");

const sent = (given: Sent, call: CallView): Draft => {
  const asset = taken(call);
  const arrives = asset.kind === "native" ? native : unsaid("the same token on the other chain");
  return cross({
    gives: { asset, amount: exactly(given.amount), at: "amount" },
    gets: { asset: given.unswapped ? OWN : arrives, amount: least(given.least), at: given.leastAt },
    toChain: chainOf(given.chain),
    receiver: given.receiver,
    receiverAt: "recipient",
    ...(given.deadline === 0n ? {} : { deadline: given.deadline }),
    fees: given.fees,
  });
};

const FIRST_LAYER = 1n;

/** On the first layer Hop's own token is always paid out as the token itself. */
const isSwappedThere = (chain: bigint): boolean => chain !== FIRST_LAYER;

const earlier = (a: bigint, b: bigint): bigint => (b !== 0n && b < a ? b : a);

const sentUses = {
  chainId: feeds.toChain,
  recipient: feeds.receiver,
  amount: feeds.amount,
};

const others = Object.fromEntries(
  Object.entries(bridges)
    .filter(([chain]) => chain !== "1")
    .map(([chain, held]) => [chain, Object.keys(held) as Address[]]),
);

export default defineProtocol({
  title: "Hop",
  names: ["hop", "hop protocol", "hop bridge", "hop exchange"],
  verbs: bridgeVerbs,
  contracts: { l1_bridge: { 1: Object.keys(bridges[1] ?? {}) as Address[] }, wrapper: others },
  functions: [
    fn(
      "function sendToL2(uint256 chainId, address recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address relayer, uint256 relayerFee) payable",
      ["l1_bridge"],
      {
        ...sentUses,
        amountOutMin: feeds.minimum,
        deadline: feedsAll("deadline", "asset"),
        relayer: feedsWhen("fee", "there is a fee"),
        relayerFee: feeds.fee,
      },
      ([chain, receiver, amount, amountOutMin, deadline, relayer, relayerFee], call) =>
        sent(
          {
            chain,
            receiver,
            amount,
            least: amountOutMin,
            leastAt: "amountOutMin",
            unswapped: deadline === 0n,
            deadline,
            fees:
              relayerFee === 0n
                ? []
                : [{ to: relayer, asset: taken(call), share: exactly(relayerFee), at: "relayerFee" }],
          },
          call,
        ),
    ),
    fn(
      "function swapAndSend(uint256 chainId, address recipient, uint256 amount, uint256 bonderFee, uint256 amountOutMin, uint256 deadline, uint256 destinationAmountOutMin, uint256 destinationDeadline) payable",
      ["wrapper"],
      {
        ...sentUses,
        bonderFee: feedsAll("fee", "minimum"),
        amountOutMin: feedsWhen("minimum", "no pool swaps it on the other chain"),
        deadline: feedsWhen("deadline", "it is earlier than the one on the other chain"),
        destinationAmountOutMin: feedsWhen("minimum", "a pool swaps it on the other chain"),
        destinationDeadline: feedsWhen("asset", "a pool could swap it on the other chain"),
      },
      ([chain, receiver, amount, bonderFee, amountOutMin, deadline, farMin, farDeadline], call) => {
        const mayBeSwapped = isSwappedThere(chain);
        const isSwapped = mayBeSwapped && farDeadline !== 0n;
        return sent(
          {
            chain,
            receiver,
            amount,
            // The bonder takes its fee from the output of the pool on this chain.
            least: isSwapped ? farMin : amountOutMin > bonderFee ? amountOutMin - bonderFee : 0n,
            leastAt: isSwapped ? "destinationAmountOutMin" : "amountOutMin",
            unswapped: mayBeSwapped && !isSwapped,
            deadline: isSwapped ? earlier(deadline, farDeadline) : deadline,
            fees:
              bonderFee === 0n
                ? []
                : [
                    {
                      to: "venue",
                      asset: unsaid("the bridge's own token"),
                      share: exactly(bonderFee),
                      at: "bonderFee",
                    },
                  ],
          },
          call,
        );
      },
    ),
  ],
});
