// On a real chain: relevant changes between the verdict and the execution are noticed, and irrelevant ones are not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { zeroAddress } from "viem";
import { encodeAbiParameters, pad, toEventSelector } from "viem/utils";
import { makeChainSimulator, type ChainSimulator, type SendingTerms } from "../../../adapters/chain/index.ts";
import type { Call, Hex } from "../../transaction.ts";
import { makePreflight, takeSnapshot, type Fitness } from "./index.ts";
import {
  setHarness,
  somewhere,
  type Harness,
} from "../../../../test/transactions/execute/preflight/harness.ts";

let harness: Harness;
let simulator: ChainSimulator;
let escrow: Hex;

beforeAll(async () => {
  harness = await setHarness();
  simulator = makeChainSimulator({ chainId: harness.chainId, rpcUrls: [harness.url] });
});
beforeEach(async () => {
  escrow = await harness.aWallet();
});
afterAll(() => harness.close());

/**
 * Takes the snapshot now. The returned function runs the preflight with the snapshot as the database would
 * return it.
 */
async function verify(
  call: Partial<Call> & Pick<Call, "to">,
  report?: unknown,
): Promise<(terms?: SendingTerms) => Promise<Fitness>> {
  const tx = { value: 0n, data: "0x" as Hex, ...call };
  const kept = JSON.stringify(await takeSnapshot(simulator, { from: escrow, ...tx }));
  const now = new Date("2026-01-01T00:00:00Z");
  const preflight = makePreflight({
    chainOf: (chainId) => (chainId === harness.chainId ? simulator : undefined),
    clock: { now: () => now },
    toleranceBps: 100,
    readSnapshot: async () => JSON.parse(kept) as unknown,
    readReport: async () => report,
  });
  const deadline = new Date(now.getTime() + 60_000);
  const transaction = { id: "one", chainId: harness.chainId, escrow, tx, deadline };
  return (terms) => preflight(transaction, { validUntil: deadline.getTime() / 1000 }, terms);
}

const fine = { ok: true };
const refused = (...reasons: readonly string[]) => ({
  ok: false,
  isPassing: false,
  reasons: reasons.map((reason) => expect.stringContaining(reason) as string),
});

/** A token of which the wallet has a thousand. */
async function aToken(): Promise<Hex> {
  const token = await harness.place("Token");
  await harness.tell(token, harness.encode("Token", "give", escrow, 1_000n));
  return token;
}

describe("native token", () => {
  test("is sent to where it went when it was verified", async () => {
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.mine({ blocks: 3 });
    expect(await look()).toEqual(fine);
  });

  test("is not sent when the balance is gone", async () => {
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.setBalance({ address: escrow, value: 4n });
    expect(await look()).toEqual(refused("it would fail now: insufficient funds"));
  });

  test("is not sent later if the balance was missing when it was verified", async () => {
    await harness.chain.setBalance({ address: escrow, value: 4n });
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.setBalance({ address: escrow, value: 10n ** 18n });
    expect(await look()).toEqual(refused("it would have failed when it was verified: insufficient funds"));
  });

  test("that is only logged as received is noticed", async () => {
    const giver = await harness.place("Giver");
    await harness.tell(giver, harness.encode("Giver", "offer", 1_000n));
    await harness.chain.setBalance({ address: giver, value: 1_000n });
    const look = await verify({ to: giver, value: 5n });
    expect(await look()).toEqual(fine);
    await harness.chain.setBalance({ address: giver, value: 900n });
    expect(await look()).toEqual(refused("native token would change by -5 instead of 995"));
  });

  test("is not sent to an address that has code by now", async () => {
    const to = somewhere();
    const look = await verify({ to, value: 5n });
    await harness.chain.setCode({ address: to, bytecode: "0x00" });
    expect(await look()).toEqual(refused(`the code at ${to} has changed`));
  });

  test("is not forwarded to an address that has code by now", async () => {
    const [payer, to] = [await harness.place("Payer"), somewhere()];
    const look = await verify({ to: payer, value: 5n, data: harness.encode("Payer", "pay", to) });
    expect(await look()).toEqual(fine);
    await harness.chain.setCode({ address: to, bytecode: "0x00" });
    expect(await look()).toEqual(refused(`it would reach code at ${to}`));
  });

  test("is not sent by a wallet that delegates to another account's code by now", async () => {
    const [look, code] = [await verify({ to: somewhere(), value: 5n }), await harness.place("Payer")];
    await harness.chain.setCode({ address: escrow, bytecode: `0xef0100${code.slice(2)}` });
    const found = await look();
    // Sorted by address, which differ in each run.
    const reasons = found.ok ? [] : found.reasons.toSorted();
    expect({ ...found, reasons }).toEqual(
      refused(`it would reach code at ${code}`, `the code at ${escrow} has changed`),
    );
  });

  test("is not sent to an account whose delegate has code by now", async () => {
    const [to, delegate] = [somewhere(), somewhere()];
    await harness.chain.setCode({ address: to, bytecode: `0xef0100${delegate.slice(2)}` });
    const look = await verify({ to, value: 5n });
    expect(await look()).toEqual(fine);
    await harness.chain.setCode({ address: delegate, bytecode: "0x00" });
    expect(await look()).toEqual(refused(`it would reach code at ${delegate}`));
  });
});

describe("a token", () => {
  test("with the same effect is sent", async () => {
    const token = await aToken();
    const look = await verify({ to: token, data: harness.encode("Token", "transfer", somewhere(), 10n) });
    await harness.tell(token, harness.encode("Token", "give", somewhere(), 7n));
    expect(await look()).toEqual(fine);
  });

  test("that takes a fee by now is not sent", async () => {
    const [token, to, collector] = [await aToken(), somewhere(), somewhere()];
    const look = await verify({ to: token, data: harness.encode("Token", "transfer", to, 100n) });
    await harness.tell(token, harness.encode("Token", "takeFee", collector, 3n));
    expect(await look()).toEqual(
      refused(
        `${token} would go to ${collector}, which got none of it`,
        `less of ${token} would go to ${to}: 97 instead of 100`,
      ),
    );
  });

  test("that the wallet has too little of by now is not sent, and the reason says why", async () => {
    const token = await aToken();
    const call = { to: token, data: harness.encode("Token", "transfer", somewhere(), 900n) };
    const look = await verify(call);
    const hash = await harness.chain.sendTransaction({ account: escrow, chain: null, ...call });
    await harness.chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(await look()).toEqual(refused("it would fail now: too little"));
  });

  test("may be allowed to the same spender", async () => {
    const look = await verify({
      to: await aToken(),
      data: harness.encode("Token", "approve", somewhere(), 50n),
    });
    expect(await look()).toEqual(fine);
  });

  test("with other code and the same effect is not sent", async () => {
    const token = await aToken();
    const look = await verify({ to: token, data: harness.encode("Token", "approve", somewhere(), 50n) });
    await harness.chain.setCode({ address: token, bytecode: harness.codeOf("OtherToken") });
    expect(await look()).toEqual(refused(`the code at ${token} has changed`));
  });

  test("behind a proxy is not sent once its implementation was replaced, even with the same effect", async () => {
    const [proxy, first, second] = [
      await harness.place("Proxy"),
      await harness.place("Token"),
      await harness.place("OtherToken"),
    ];
    await harness.tell(proxy, harness.encode("Proxy", "upgrade", first));
    await harness.tell(proxy, harness.encode("Token", "give", escrow, 1_000n));
    const look = await verify({ to: proxy, data: harness.encode("Token", "transfer", somewhere(), 10n) });
    expect(await look()).toEqual(fine);
    await harness.tell(proxy, harness.encode("Proxy", "upgrade", second));
    expect(await look()).toEqual(refused(`it would reach code at ${second}`));
  });
});

describe("an exchange", () => {
  async function aPurchase() {
    const [token, pool] = [await harness.place("Token"), await harness.place("Pool")];
    await harness.tell(token, harness.encode("Token", "give", pool, 1_000_000n));
    const price = (perWei: bigint) => harness.tell(pool, harness.encode("Pool", "open", token, perWei));
    await price(1_000n);
    return {
      token,
      pool,
      price,
      look: await verify({ to: pool, value: 100n, data: harness.encode("Pool", "buy") }),
    };
  }

  test.each([
    ["as much", 1_000n],
    ["a hundredth less", 990n],
    ["more", 2_000n],
  ])("that yields %s is sent", async (_, perWei) => {
    const { price, look } = await aPurchase();
    await price(perWei);
    expect(await look()).toEqual(fine);
  });

  test("that yields even less is not sent", async () => {
    const { price, look, token } = await aPurchase();
    await price(989n);
    expect(await look()).toEqual(refused(`less of ${token} would come in: 98900 instead of 100000`));
  });

  test("that yields nothing any more is not sent", async () => {
    const { price, look, token } = await aPurchase();
    await price(0n);
    expect(await look()).toEqual(refused(`${token} would no longer come in`));
  });

  test("with an emptied pool is not sent", async () => {
    const { price, look } = await aPurchase();
    await price(10_001n);
    expect(await look()).toEqual(refused("it would fail now: too little"));
  });
});

describe("a contract's events", () => {
  const transfer = toEventSelector("Transfer(address,address,uint256)");
  const words = (...values: readonly (Hex | bigint)[]): Hex =>
    encodeAbiParameters(
      values.map(() => ({ type: "uint256" }) as const),
      values.map(BigInt),
    );

  async function aSpeaker() {
    const speaker = await harness.place("Speaker");
    const look = await verify({ to: speaker });
    const learn = (topics: readonly Hex[], data: Hex) =>
      harness.tell(speaker, harness.encode("Speaker", "learn", topics, data));
    return { speaker, look, learn };
  }

  test("about others are ignored", async () => {
    const { look, learn } = await aSpeaker();
    await learn([transfer, pad(somewhere()), pad(somewhere())], words(1n));
    expect(await look()).toEqual(fine);
    await learn([transfer], "0x1234");
    expect(await look()).toEqual(fine);
  });

  test.each([
    ["an allowance", "Approval(address,address,uint256)", 1n],
    ["an allowance of everything", "ApprovalForAll(address,address,bool)", 1n],
  ])("about %s that are new are noticed", async (_, event, amount) => {
    const { look, learn } = await aSpeaker();
    const spender = somewhere();
    await learn([toEventSelector(event), pad(escrow), pad(spender)], words(amount));
    expect(await look()).toEqual(refused(`${spender} would be allowed 1`));
  });

  test("about its own incoming token are not trusted, and do no harm", async () => {
    const { look, learn } = await aSpeaker();
    await learn([transfer, pad(somewhere()), pad(escrow)], words(1n));
    expect(await look()).toEqual(fine);
  });

  test.each([
    ["too much", (all: Hex) => [[transfer, pad(all), pad(all)], words(1n, 2n)] as const],
    ["too few topics", (all: Hex) => [[transfer, pad(all)], words(1n)] as const],
    ["no data", (all: Hex) => [[transfer, pad(all), pad(all)], "0x"] as const],
    ["half a word", (all: Hex) => [[transfer, pad(all), pad(all)], "0x12"] as const],
    ["an old form", (all: Hex) => [[transfer], words(all, all, 1n)] as const],
  ])("with %s cause no error, and a change of them is noticed", async (_, said) => {
    const { speaker, look, learn } = await aSpeaker();
    const [topics, data] = said(escrow);
    await learn(topics, data);
    expect(await look()).toEqual(refused(`${speaker} would emit a different event about this wallet`));
    const again = await verify({ to: speaker });
    expect(await again()).toEqual(fine);
  });

  test("are not compared when there are too many", async () => {
    const look = await verify({ to: await harness.place("Chatter") });
    expect(await look()).toEqual(
      refused("it would have failed when it was verified: it accesses more addresses"),
    );
  });
});

describe("a contract that pays while it is simulated and steals on the chain", () => {
  const proposer: Hex = "0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97";

  beforeAll(async () => {
    // As on a public chain: blocks have a proposer and a base fee.
    await harness.chain.setCoinbase({ address: proposer });
    await harness.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n });
    await harness.chain.mine({ blocks: 1 });
  });
  afterAll(async () => {
    await harness.chain.setCoinbase({ address: zeroAddress });
  });

  /** The wallet has allowed the contract 500 of its 1,000 tokens. */
  async function aPretender(sign: number) {
    const [token, pretender, thief] = [await aToken(), await harness.place("Pretender"), somewhere()];
    await harness.tell(token, harness.encode("Token", "give", pretender, 1_000n));
    await harness.tell(pretender, harness.encode("Pretender", "pretend", token, thief, BigInt(sign)));
    const allow = harness.encode("Token", "approve", pretender, 500n);
    await send({ to: token, data: allow });
    return { token, pretender, claim: { to: pretender, data: harness.encode("Pretender", "claim") } };
  }
  async function send(call: Pick<Call, "to" | "data"> & { readonly gas?: bigint }) {
    const hash = await harness.chain.sendTransaction({ account: escrow, chain: null, ...call });
    return harness.chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  }
  const balanceOf = async (token: Hex): Promise<bigint> => {
    const data = harness.encode("Token", "balanceOf", escrow);
    return BigInt((await harness.chain.call({ to: token, data })).data ?? "0x0");
  };
  const pretends = "it behaves differently when it is simulated";

  test.each([
    ["the base fee is 0", 0],
    ["the gas price is 0", 1],
    ["no proposer is named", 2],
    ["the randomness is 0", 3],
    ["more than 10 million gas is left", 4],
    ["more gas is left than wallets give", 5],
    ["the base fee is 0 and much gas is left", 6],
  ])("because %s is not sent", async (_, sign) => {
    const { token, claim } = await aPretender(sign);
    const look = await verify(claim);
    expect(await look()).toEqual(refused(`it would have failed when it was verified: ${pretends}`));
    await send({ ...claim, gas: 250_000n });
    expect(await balanceOf(token)).toBe(500n);
  });

  test("and steals only with the gas that the custodian gives is not signed", async () => {
    const { token, pretender, claim } = await aPretender(7);
    await harness.tell(pretender, harness.encode("Pretender", "lurk", 700_000n, 800_000n));
    const look = await verify(claim);
    expect(await look()).toEqual(fine);
    const fees = { maxFeePerGas: 5n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n, accessList: [] };
    expect(await look({ gas: 600_000n, ...fees })).toEqual(fine);
    expect(await look({ gas: 790_000n, ...fees })).toEqual(refused(`it would fail now: ${pretends}`));
    await send({ ...claim, gas: 790_000n });
    expect(await balanceOf(token)).toBe(500n);
  });
});

describe("another transaction of the wallet", () => {
  test("that is pending is waited for, and then it is sent", async () => {
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.setAutomine(false);
    try {
      await harness.chain.sendTransaction({ account: escrow, chain: null, to: somewhere(), value: 1n });
      expect(await look()).toEqual({
        ok: false,
        isPassing: true,
        reasons: ["another transaction of this wallet is under way"],
      });
      await harness.chain.mine({ blocks: 1 });
      expect(await look()).toEqual(fine);
    } finally {
      await harness.chain.setAutomine(true);
    }
  });
});

describe("bounds in the signed report", () => {
  type Row = readonly [holder: Hex, token: Hex | null, approved: bigint, least?: bigint];
  const aReport = async (...rows: readonly Row[]): Promise<unknown> => {
    const { number, hash } = await harness.chain.getBlock({ blockTag: "latest" });
    const changes = rows.map(([holder, token, approved, least = approved]) => ({
      ...(token === null ? { kind: "native" } : { kind: "token", address: token }),
      ...{ holder, symbol: null, approved: approved.toString(), least: least.toString() },
    }));
    const block = { number: number.toString(), hash };
    return { context: { bounds: { status: "known", account: escrow, block, changes, allowances: [] } } };
  };

  test("are kept by an unchanged payment, in which the fee does not count", async () => {
    const to = somewhere();
    const look = await verify({ to, value: 5n }, await aReport([escrow, null, -5n], [to, null, 5n]));
    await harness.chain.mine({ blocks: 2 });
    expect(await look()).toEqual(fine);
  });

  test("catch a token that moves less than it logs, which the snapshot cannot see", async () => {
    const [token, to] = [await harness.place("QuietToken"), somewhere()];
    await harness.tell(token, harness.encode("Token", "give", escrow, 1_000n));
    const call = { to: token, data: harness.encode("Token", "transfer", to, 100n) };
    const look = await verify(call, await aReport([escrow, token, -100n], [to, token, 100n]));
    const blind = await verify(call);
    expect(await look()).toEqual(fine);
    await harness.tell(token, harness.encode("QuietToken", "keep", 3n));
    expect(await blind()).toEqual(fine);
    expect(await look()).toEqual(refused(`97 base units of ${token} would arrive at ${to}`));
  });

  test("stop a purchase whose price moved beyond them, and not within them", async () => {
    const [token, pool] = [await aToken(), await harness.place("Pool")];
    await harness.tell(token, harness.encode("Token", "give", pool, 10n ** 9n));
    const price = (perWei: bigint) => harness.tell(pool, harness.encode("Pool", "open", token, perWei));
    await price(1_000n);
    const call = { to: pool, value: 5n, data: harness.encode("Pool", "buy") };
    // The request stated a minimum that is stricter than the tolerance of 1 %.
    const look = await verify(call, await aReport([escrow, null, -5n], [escrow, token, 5_000n, 4_980n]));
    await price(996n);
    expect(await look()).toEqual(fine);
    await price(995n);
    expect(await look()).toEqual(refused(`4975 base units of ${token} would arrive`));
  });

  test("of a wallet that was emptied: it would fail", async () => {
    const [token, to] = [await aToken(), somewhere()];
    const call = { to: token, data: harness.encode("Token", "transfer", to, 600n) };
    const look = await verify(call, await aReport([escrow, token, -600n], [to, token, 600n]));
    await harness.chain.sendTransaction({
      ...{
        account: escrow,
        chain: null,
        to: token,
        data: harness.encode("Token", "transfer", somewhere(), 900n),
      },
    });
    await harness.chain.mine({ blocks: 1 });
    expect(await look()).toEqual(refused("it would fail now"));
  });

  test("of a block that a reorg removed stop it", async () => {
    const to = somewhere();
    const report = (await aReport([escrow, null, -5n])) as { context: { bounds: { block: object } } };
    report.context.bounds.block = { ...report.context.bounds.block, hash: `0x${"12".repeat(32)}` };
    expect(await (await verify({ to, value: 5n }, report))()).toEqual(refused("no longer part of the chain"));
  });
});
