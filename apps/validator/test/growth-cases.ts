/** Requests that grow with a size. All of them must be rejected, at a cost in proportion to their size. */
import { encodeAbiParameters, encodeFunctionData, parseAbi } from "viem/utils";
import type { Hex } from "../src/proposal.ts";
import { fill } from "./hostile-words.ts";
import { bob, me, payMany, payment, payUsdc } from "./some-requests.ts";

/** A name, the request of a given size, and the largest size to try. */
type GrowthCase = readonly [name: string, request: (size: number) => object, size: number];

const sendMany = (count: number): string =>
  Array.from({ length: count }, (_, n) => `send ${n} USDC to 0x${n.toString(16).padStart(40, "a")}`).join(
    " and ",
  );
const asBatch = (count: number): object => ({
  ...payment,
  proposed_tx: {
    transactions: Array.from({ length: count }, (_, n) => ({
      to: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      data: payUsdc(`0x${n.toString(16).padStart(40, "b")}`, BigInt(n)),
    })),
  },
});
const safe = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
const party = (n: number): Hex => `0x${n.toString(16).padStart(40, "c")}`;
const multicall = parseAbi(["function multicall(bytes[] data) payable returns (bytes[])"]);
const nested = (depth: number): Hex =>
  Array.from({ length: depth }).reduce<Hex>(
    (data) => encodeFunctionData({ abi: multicall, args: [[data]] }),
    payUsdc(bob, 1n),
  );
const router = "0xe592427a0aece92de3edee1f18e0157c05861564";
const called = (to: string, data: string): object => ({ ...payment, proposed_tx: { to, data, value: "0" } });

export const wordCases: readonly GrowthCase[] = [
  "1,000 ",
  "send 1 ETH to bob and ",
  "((((",
  `send 1 ETH to ${bob}, `,
  "e\u0301",
  "👩‍👩‍👧‍👦",
  "一百",
  "a.eth ",
  "not ",
  "\n",
].map((piece) => [
  JSON.stringify(piece),
  (size) => ({ ...payment, human_intent: fill(piece, size) }),
  20_000,
]);

export const transactionCases: readonly GrowthCase[] = [
  ["a list of 256 transfers", asBatch, 256],
  [
    "a MultiSend of 256 transfers",
    (n) =>
      called(
        safe,
        payMany(
          Array.from({ length: n }, (_, i) => party(i)),
          5n,
        ),
      ),
    256,
  ],
  [
    "a multicall of 256 multicalls",
    (n) =>
      called(
        router,
        encodeFunctionData({ abi: multicall, args: [Array.from({ length: n }, () => nested(1))] }),
      ),
    256,
  ],
  ["a multicall in a multicall, 64 deep", (n) => called(router, nested(n)), 64],
  ["a megabyte of noise", (n) => called(router, `0x12345678${"ab".repeat(n)}`), 1_000_000],
  ["a megabyte behind a transfer", (n) => called(router, payUsdc(bob, 1n) + "ab".repeat(n)), 1_000_000],
  [
    "a megabyte in a multicall",
    (n) => called(router, encodeFunctionData({ abi: multicall, args: [[`0x${"ab".repeat(n)}`]] })),
    1_000_000,
  ],
  [
    "a list that declares 2^255 elements",
    (n) => called(router, `0xac9650d8${"20".padStart(64, "0")}${"f".repeat(64)}${"00".repeat(n)}`),
    1_000_000,
  ],
  [
    "offsets that all point to one place",
    (n) =>
      called(
        router,
        `0xac9650d8${"20".padStart(64, "0")}${n.toString(16).padStart(64, "0")}${(n * 32).toString(16).padStart(64, "0").repeat(n)}${encodeAbiParameters([{ type: "bytes" }], ["0x12345678"]).slice(66)}`,
      ),
    20_000,
  ],
  [
    "256 authorizations",
    (n) => ({
      ...payment,
      proposed_tx: {
        authorizationList: Array.from({ length: n }, (_, i) => ({ chainId: 1, address: party(i) })),
      },
    }),
    256,
  ],
  [
    "a long context",
    (n) => ({
      ...payment,
      proposed_tx: { to: me, value: "1" },
      metadata: { note: fill("send 1 ETH to me ", n) },
    }),
    200_000,
  ],
  [
    "a context with many fields",
    (n) => ({
      ...payment,
      proposed_tx: { to: me, value: "1" },
      metadata: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, party(i)])),
    }),
    8_000,
  ],
  [
    "a long list of known addresses",
    (n) => ({
      ...payment,
      proposed_tx: { to: me, value: "1" },
      metadata: { known_addresses: Array.from({ length: n }, (_, i) => party(i)) },
    }),
    8_000,
  ],
  ["typed data with many fields", (n) => ({ ...payment, proposed_tx: { order: wideTypedData(n) } }), 8_000],
  [
    "a batch with a request that names nothing in it",
    (n) => ({ ...asBatch(n), human_intent: fill("send half, ", n * 80) }),
    250,
  ],
  ["as many payments as the request asks for", (n) => ({ ...asBatch(n), human_intent: sendMany(n) }), 128],
];

function wideTypedData(members: number): object {
  const names = Array.from({ length: members }, (_, n) => `m${n}`);
  return {
    domain: { name: "T", version: "1", chainId: 1, verifyingContract: party(1) },
    types: { Permit: names.map((name) => ({ name, type: "uint256" })) },
    primaryType: "Permit",
    message: Object.fromEntries(names.map((name) => [name, "1"])),
  };
}
