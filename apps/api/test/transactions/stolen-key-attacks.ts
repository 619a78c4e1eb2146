// Ways in which someone with an agent's key tries to take more than its mandate allows. The request always describes the
// transaction truthfully, so a verdict does not stop them.
import { concat, encodeFunctionData, maxUint256, pad, parseAbi, parseUnits, toHex, type Hex } from "viem";

export const mainnet = 1;
export const shop: Hex = `0x${"5b".repeat(20)}`;
export const usdc: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const thief: Hex = "0x6666666666666666666666666666666666666666";

export type Attack = {
  readonly name: string;
  readonly words: string;
  readonly chainId: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  /** The USDC that it would move, or let others move, to the shop. "other": it does something else. */
  readonly takes: bigint | "other";
};
export type Family = { readonly name: string; readonly attacks: (me: Hex) => readonly Attack[] };

const abi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function transferFrom(address from, address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function increaseAllowance(address spender, uint256 value)",
  "function setApprovalForAll(address operator, bool approved)",
  "function safeTransferFrom(address from, address to, uint256 id)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function multicall(bytes[] data)",
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls)",
  "function multiSend(bytes transactions)",
  "function execute(address to, uint256 value, bytes data)",
  "function executeBatch(address[] to, uint256[] value, bytes[] data)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function swapExactTokensForETH(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
]);
const permit2Abi = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
const at = {
  permit2: "0x000000000022d473030f116ddee9f6b43ac78ba3",
  multicall3: "0xca11bde05977b3631167028862be2a173976ca11",
  multiSend: "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  router: "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
  weth: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  pool: "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2",
  punks: "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
} as const satisfies Readonly<Record<string, Hex>>;
/** Tokens on Ethereum with their decimals. */
const tokens = [
  ["USDT", "0xdac17f958d2ee523a2206206994597c13d831ec7", 6],
  ["DAI", "0x6b175474e89094c44da98b954eedeac495271d0f", 18],
  ["WETH", at.weth, 18],
  ["UNI", "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", 18],
  ["LINK", "0x514910771af9ca656af840dff83e8264ecf986ca", 18],
  ["WBTC", "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", 8],
  ["stETH", "0xae7ab96520de3a18e5e111b5eaab095312d7fe84", 18],
  ["PYUSD", "0x6c3ea9036406852006290770bedfcaba0e23a0e8", 6],
] as const;
/** USDC on other chains. */
const elsewhere = [
  ["Base", 8453, "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"],
  ["Arbitrum", 42_161, "0xaf88d065e77c8cc2239327c5edb3a432268e5831"],
  ["Optimism", 10, "0x0b2c639c533813f4aa9d7837caf62653d097ff85"],
  ["Polygon", 137, "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359"],
  ["Sepolia", 11_155_111, "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238"],
] as const;

const dollars = (amount: string): bigint => parseUnits(amount, 6);
const transferTo = (to: Hex, value: bigint): Hex =>
  encodeFunctionData({ abi, functionName: "transfer", args: [to, value] });

type Sent = Partial<Attack["call"]> & Partial<Pick<Attack, "chainId" | "words" | "takes">>;
const attack = (
  name: string,
  { to = usdc, value = 0n, data = "0x", chainId = mainnet, words, takes = "other" }: Sent,
): Attack => ({ name, words: words ?? name, chainId, call: { to, value, data }, takes });

const pay = (amount: bigint, to: Hex, more: Sent = {}): Attack =>
  attack(`Send ${amount} base units of USDC to ${to}`, {
    ...{ data: transferTo(to, amount), takes: to === shop ? amount : "other" },
    words: `Send ${Number(amount) / 1e6} USDC to ${to}`,
    ...more,
  });

const tooMuch: Family = {
  name: "one payment above the limit",
  attacks: () => [
    ...["200.000001", "200.01", "201", "250", "399", "400", "1000", "20000", "1000000"].map((amount) =>
      pay(dollars(amount), shop),
    ),
    ...[128n, 160n, 200n, 255n].map((bits) => pay(2n ** bits, shop)),
    ...[0n, 1n, 2n].map((less) => pay(maxUint256 - less, shop)),
  ],
};

export const splitting: Family = {
  name: "many payments below the limit",
  attacks: () =>
    Array.from({ length: 80 }, (_, index) =>
      pay(dollars(String(1 + ((index * 7) % 13))) + BigInt(index), shop),
    ),
};

/** Addresses that differ from the shop's in one digit. */
const lookalikes = Array.from(
  { length: 40 },
  (_, at) =>
    `0x${"5b".repeat(20).slice(0, at)}${at % 2 === 0 ? "6" : "c"}${"5b".repeat(20).slice(at + 1)}` as Hex,
);
const otherRecipients: Family = {
  name: "another recipient",
  attacks: (me) => [
    ...lookalikes.map((to) => pay(dollars("5"), to)),
    ...[thief, usdc, at.router, pad("0x0", { size: 20 }), pad("0x1", { size: 20 })].flatMap((to) =>
      ["1", "199"].map((amount) => pay(dollars(amount), to)),
    ),
    // To the account itself: nothing leaves.
    pay(dollars("500"), me, { takes: 0n }),
  ],
};

const allowances: Family = {
  name: "an allowance",
  attacks: (me) =>
    [shop, thief, at.router].flatMap((spender) =>
      [dollars("1"), dollars("150"), dollars("200"), dollars("200.000001"), 2n ** 159n, maxUint256].flatMap(
        (value) => {
          const takes = spender === shop ? value : "other";
          const words = `Approve ${spender} to spend ${Number(value) / 1e6} USDC`;
          const args = [spender, value] as const;
          const signature = [27, pad("0x1"), pad("0x2")] as const;
          return [
            attack(`approve ${spender} ${value}`, {
              ...{ takes, words, data: encodeFunctionData({ abi, functionName: "approve", args }) },
            }),
            attack(`increaseAllowance ${spender} ${value}`, {
              ...{ takes, words, data: encodeFunctionData({ abi, functionName: "increaseAllowance", args }) },
            }),
            attack(`permit ${spender} ${value}`, {
              ...{ takes, words },
              data: encodeFunctionData({
                ...{ abi, functionName: "permit" },
                args: [me, spender, value, maxUint256, ...signature],
              }),
            }),
            attack(`Permit2 ${spender} ${value}`, {
              ...{ takes, words, to: at.permit2 },
              data: encodeFunctionData({
                ...{ abi: permit2Abi, functionName: "approve" },
                args: [usdc, spender, value > 2n ** 160n - 1n ? 2n ** 160n - 1n : value, 2 ** 40],
              }),
            }),
          ];
        },
      ),
    ),
};

const otherAssets: Family = {
  name: "another asset",
  attacks: (me) => [
    ...tokens.flatMap(([symbol, to, decimals]) =>
      ["0.000001", "5", "199"].map((amount) =>
        attack(`Send ${amount} ${symbol} to ${shop}`, {
          ...{ to, data: transferTo(shop, parseUnits(amount, decimals)) },
        }),
      ),
    ),
    ...["0.000000000000000001", "0.01", "1", "199"].map((amount) =>
      attack(`Send ${amount} ETH to ${shop}`, { to: shop, value: parseUnits(amount, 18) }),
    ),
    // Value that rides along with an allowed payment.
    ...[1n, 10n ** 15n, 10n ** 18n].map((value) => pay(dollars("5"), shop, { value, takes: "other" })),
    ...[1n, 7n, 2n ** 200n].flatMap((id) => [
      attack(`Send the NFT ${id} to ${shop}`, {
        to: at.punks,
        data: encodeFunctionData({ abi, functionName: "safeTransferFrom", args: [me, shop, id] }),
      }),
      attack(`Send token ${id} of ${at.punks} to ${shop}`, {
        to: at.punks,
        data: encodeFunctionData({ abi, functionName: "transferFrom", args: [me, shop, id] }),
      }),
    ]),
    attack(`Let ${shop} manage all my NFTs`, {
      to: at.punks,
      data: encodeFunctionData({ abi, functionName: "setApprovalForAll", args: [shop, true] }),
    }),
    // Contracts that call themselves USDC.
    ...Array.from({ length: 12 }, (_, index) => {
      const to: Hex = `0x${(index + 17).toString(16).padStart(40, "a")}`;
      return attack(`Send 5 USDC to ${shop} (token ${to})`, { to, data: transferTo(shop, dollars("5")) });
    }),
  ],
};

const otherChains: Family = {
  name: "another chain",
  attacks: () =>
    elsewhere.flatMap(([name, chainId, token]) =>
      ["1", "5", "199"].flatMap((amount) => [
        pay(dollars(amount), shop, {
          ...{ chainId, to: token, takes: "other" },
          words: `Send ${amount} USDC to ${shop} on ${name}`,
        }),
        // The address of mainnet's USDC, on a chain where it is something else.
        pay(dollars(amount), shop, {
          ...{ chainId, takes: "other" },
          words: `Send ${amount} USDC to ${shop} on ${name}`,
        }),
      ]),
    ),
};

type Batch = readonly { readonly to: Hex; readonly data: Hex }[];
const packed = (calls: Batch): Hex =>
  concat(
    calls.flatMap(({ to, data }) => [
      ...["0x00" as const, to, pad("0x0"), pad(toHex((data.length - 2) / 2)), data],
    ]),
  );
const none = `0x${"00".repeat(20)}` as const;
const asSafe = (to: Hex, data: Hex, operation: number): Hex =>
  encodeFunctionData({
    ...{ abi, functionName: "execTransaction" },
    args: [to, 0n, data, operation, 0n, 0n, 0n, none, none, "0x"],
  });
const batchForms: readonly [string, (calls: Batch, me: Hex) => Partial<Attack["call"]>][] = [
  [
    "multicall",
    (calls) => ({
      data: encodeFunctionData({ abi, functionName: "multicall", args: [calls.map(({ data }) => data)] }),
    }),
  ],
  [
    "aggregate3",
    (calls) => ({
      to: at.multicall3,
      data: encodeFunctionData({
        ...{ abi, functionName: "aggregate3" },
        args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
      }),
    }),
  ],
  [
    "multiSend",
    (calls) => ({
      to: at.multiSend,
      data: encodeFunctionData({ abi, functionName: "multiSend", args: [packed(calls)] }),
    }),
  ],
  [
    "executeBatch",
    (calls, me) => ({
      to: me,
      data: encodeFunctionData({
        ...{ abi, functionName: "executeBatch" },
        args: [calls.map(({ to }) => to), calls.map(() => 0n), calls.map(({ data }) => data)],
      }),
    }),
  ],
  [
    "a Safe's multiSend",
    (calls, me) => ({
      to: me,
      data: asSafe(
        at.multiSend,
        encodeFunctionData({ abi, functionName: "multiSend", args: [packed(calls)] }),
        1,
      ),
    }),
  ],
];
const batches: Family = {
  name: "a batch",
  attacks: (me) =>
    batchForms.flatMap(([form, make]) =>
      [2, 3, 5, 8, 13].flatMap((count) =>
        ["20", "70", "150"].flatMap((amount) => {
          const honest = { to: usdc, data: transferTo(shop, dollars(amount)) };
          const stolen = { to: usdc, data: transferTo(thief, dollars(amount)) };
          const all = Array.from({ length: count }, () => honest);
          const words = `Send ${amount} USDC to ${shop} ${count} times`;
          return [
            attack(`${form}: ${count} times ${amount}`, {
              ...make(all, me),
              words,
              takes: dollars(amount) * BigInt(count),
            }),
            attack(`${form}: ${count} times ${amount} and a theft`, { ...make([...all, stolen], me), words }),
          ];
        }),
      ),
    ),
};

const wrapped: Family = {
  name: "a payment inside another call",
  attacks: (me) =>
    ["5", "199", "201"].flatMap((amount) => {
      const value = dollars(amount);
      const inner = transferTo(shop, value);
      const words = `Send ${amount} USDC to ${shop}`;
      const signature = [27, pad("0x1"), pad("0x2")] as const;
      const from = (owner: Hex): Hex =>
        encodeFunctionData({ abi, functionName: "transferFrom", args: [owner, shop, value] });
      const authorized = (owner: Hex): Hex =>
        encodeFunctionData({
          ...{ abi, functionName: "transferWithAuthorization" },
          args: [owner, shop, value, 0n, maxUint256, pad("0x5"), ...signature],
        });
      return [
        attack(`transferFrom of the account, ${amount}`, { words, data: from(me), takes: value }),
        attack(`transferFrom of another account, ${amount}`, { words, data: from(thief) }),
        attack(`an authorization of the account, ${amount}`, { words, data: authorized(me), takes: value }),
        attack(`an authorization of another account, ${amount}`, { words, data: authorized(thief) }),
        ...[me, thief].flatMap((account) => [
          attack(`execute of ${account}, ${amount}`, {
            ...{ words, to: account, takes: account === me ? value : "other" },
            data: encodeFunctionData({ abi, functionName: "execute", args: [usdc, 0n, inner] }),
          }),
          ...[0, 1].map((operation) =>
            attack(`execTransaction of ${account} by operation ${operation}, ${amount}`, {
              ...{ words, to: account, takes: account === me && operation === 0 ? value : "other" },
              data: asSafe(usdc, inner, operation),
            }),
          ),
        ]),
        ...[me, shop, thief].flatMap((receiver) => [
          attack(`swap for ${receiver}, ${amount}`, {
            ...{ to: at.router, words: `Swap ${amount} USDC for ETH to ${receiver}` },
            data: encodeFunctionData({
              ...{ abi, functionName: "swapExactTokensForETH" },
              args: [value, 1n, [usdc, at.weth], receiver, 2n ** 40n],
            }),
          }),
          attack(`supply for ${receiver}, ${amount}`, {
            ...{ to: at.pool, words: `Supply ${amount} USDC to Aave for ${receiver}` },
            data: encodeFunctionData({ abi, functionName: "supply", args: [usdc, value, receiver, 0] }),
          }),
        ]),
      ];
    }),
};

/** Changes of one byte or word to a payment that the mandate allows, which tokens read in different ways. */
const malformed: Family = {
  name: "calldata that two readers understand differently",
  attacks: () => {
    const good = transferTo(shop, dollars("5"));
    const words = `Send 5 USDC to ${shop}`;
    return [
      ...Array.from({ length: 12 }, (_, index) =>
        // Bytes above the address, which some contracts ignore.
        attack(`dirty byte ${index}`, {
          ...{ words, takes: dollars("5") },
          data: `${good.slice(0, 10 + index * 2)}ff${good.slice(12 + index * 2)}` as Hex,
        }),
      ),
      ...[1, 4, 32, 68].map((bytes) =>
        attack(`${bytes} bytes more`, {
          words,
          takes: dollars("5"),
          data: concat([good, pad("0x0", { size: bytes })]),
        }),
      ),
      ...[1, 16, 31, 32, 36, 63].map((bytes) =>
        attack(`${bytes} bytes less`, { words, data: good.slice(0, good.length - bytes * 2) as Hex }),
      ),
    ];
  },
};

export const families: readonly Family[] = [
  ...[tooMuch, splitting, otherRecipients, allowances, otherAssets, otherChains, batches, wrapped, malformed],
];
