// On a real chain: what changes between the verdict and the execution is noticed, and what does not matter is not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodeAbiParameters, pad, toEventSelector } from "viem/utils";
import { makeChainSimulator, type ChainSimulator } from "../../../adapters/chain/index.ts";
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
  simulator = makeChainSimulator({ chainId: harness.chainId, rpcUrl: harness.url });
});
beforeEach(async () => {
  escrow = await harness.aWallet();
});
afterAll(() => harness.close());

/** Verified now; what is returned looks again, with the snapshot as the record would give it back. */
async function verify(call: Partial<Call> & Pick<Call, "to">): Promise<() => Promise<Fitness>> {
  const tx = { value: 0n, data: "0x" as Hex, ...call };
  const kept = JSON.stringify(await takeSnapshot(simulator, { from: escrow, ...tx }));
  const now = new Date("2026-01-01T00:00:00Z");
  const preflight = makePreflight({
    chainOf: (chainId) => (chainId === harness.chainId ? simulator : undefined),
    clock: { now: () => now },
    toleranceBps: 100,
    readSnapshot: async () => JSON.parse(kept) as unknown,
  });
  const deadline = new Date(now.getTime() + 60_000);
  const transaction = { id: "one", chainId: harness.chainId, escrow, tx, deadline };
  return () => preflight(transaction, { validUntil: deadline.getTime() / 1000 });
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

describe("money of the chain", () => {
  test("that would go where it went is sent", async () => {
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.mine({ blocks: 3 });
    expect(await look()).toEqual(fine);
  });

  test("that is no longer there is not sent", async () => {
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.setBalance({ address: escrow, value: 4n });
    expect(await look()).toEqual(refused("it would fail now: insufficient funds"));
  });

  test("that was not there when it was verified is not sent later", async () => {
    await harness.chain.setBalance({ address: escrow, value: 4n });
    const look = await verify({ to: somewhere(), value: 5n });
    await harness.chain.setBalance({ address: escrow, value: 10n ** 18n });
    expect(await look()).toEqual(refused("it would have failed when it was verified: insufficient funds"));
  });

  test("that is only said to come in, and does not, is noticed", async () => {
    const giver = await harness.place("Giver");
    await harness.tell(giver, harness.encode("Giver", "offer", 1_000n));
    await harness.chain.setBalance({ address: giver, value: 1_000n });
    const look = await verify({ to: giver, value: 5n });
    expect(await look()).toEqual(fine);
    await harness.chain.setBalance({ address: giver, value: 900n });
    expect(await look()).toEqual(refused("own money would change by -5 instead of 995"));
  });

  test("is not sent to where there is code by now", async () => {
    const to = somewhere();
    const look = await verify({ to, value: 5n });
    await harness.chain.setCode({ address: to, bytecode: "0x00" });
    expect(await look()).toEqual(refused(`the code at ${to} is not what it was`));
  });

  test("is not passed on to where there is code by now", async () => {
    const [payer, to] = [await harness.place("Payer"), somewhere()];
    const look = await verify({ to: payer, value: 5n, data: harness.encode("Payer", "pay", to) });
    expect(await look()).toEqual(fine);
    await harness.chain.setCode({ address: to, bytecode: "0x00" });
    expect(await look()).toEqual(refused(`it would reach code at ${to}`));
  });

  test("is not sent by a wallet that obeys somebody else's code by now", async () => {
    const [look, code] = [await verify({ to: somewhere(), value: 5n }), await harness.place("Payer")];
    await harness.chain.setCode({ address: escrow, bytecode: `0xef0100${code.slice(2)}` });
    const found = await look();
    // By address, and those are others each time.
    const reasons = found.ok ? [] : found.reasons.toSorted();
    expect({ ...found, reasons }).toEqual(
      refused(`it would reach code at ${code}`, `the code at ${escrow} is not what it was`),
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
  test("that would do what it did is sent", async () => {
    const token = await aToken();
    const look = await verify({ to: token, data: harness.encode("Token", "transfer", somewhere(), 10n) });
    await harness.tell(token, harness.encode("Token", "give", somewhere(), 7n));
    expect(await look()).toEqual(fine);
  });

  test("that takes a fee from now on is not sent", async () => {
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

  test("that the wallet has too little of by now is not sent, and it is said why", async () => {
    const token = await aToken();
    const call = { to: token, data: harness.encode("Token", "transfer", somewhere(), 900n) };
    const look = await verify(call);
    const hash = await harness.chain.sendTransaction({ account: escrow, chain: null, ...call });
    await harness.chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    expect(await look()).toEqual(refused("it would fail now: too little"));
  });

  test("may be allowed to whom it was", async () => {
    const look = await verify({
      to: await aToken(),
      data: harness.encode("Token", "approve", somewhere(), 50n),
    });
    expect(await look()).toEqual(fine);
  });

  test("with other code that does the same is not sent", async () => {
    const token = await aToken();
    const look = await verify({ to: token, data: harness.encode("Token", "approve", somewhere(), 50n) });
    await harness.chain.setCode({ address: token, bytecode: harness.codeOf("OtherToken") });
    expect(await look()).toEqual(refused(`the code at ${token} is not what it was`));
  });

  test("behind a proxy is not sent once its implementation was replaced, even by one that does the same", async () => {
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
  ])("that yields %s is made", async (_, perWei) => {
    const { price, look } = await aPurchase();
    await price(perWei);
    expect(await look()).toEqual(fine);
  });

  test("that yields yet less is not", async () => {
    const { price, look, token } = await aPurchase();
    await price(989n);
    expect(await look()).toEqual(refused(`less of ${token} would come in: 98900 instead of 100000`));
  });

  test("that yields nothing any more is not", async () => {
    const { price, look, token } = await aPurchase();
    await price(0n);
    expect(await look()).toEqual(refused(`${token} would come in no more`));
  });

  test("with a pool that was emptied is not", async () => {
    const { price, look } = await aPurchase();
    await price(10_001n);
    expect(await look()).toEqual(refused("it would fail now: too little"));
  });
});

describe("what a contract says", () => {
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

  test("about others is their own affair", async () => {
    const { look, learn } = await aSpeaker();
    await learn([transfer, pad(somewhere()), pad(somewhere())], words(1n));
    expect(await look()).toEqual(fine);
    await learn([transfer], "0x1234");
    expect(await look()).toEqual(fine);
  });

  test.each([
    ["an allowance", "Approval(address,address,uint256)", 1n],
    ["an allowance of everything", "ApprovalForAll(address,address,bool)", 1n],
  ])("of %s that it did not speak of before is noticed", async (_, event, amount) => {
    const { look, learn } = await aSpeaker();
    const spender = somewhere();
    await learn([toEventSelector(event), pad(escrow), pad(spender)], words(amount));
    expect(await look()).toEqual(refused(`${spender} would be allowed 1`));
  });

  test("of something of its own that comes in is not trusted, and does no harm", async () => {
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
  ])("with %s is no error, and a change of it is noticed", async (_, said) => {
    const { speaker, look, learn } = await aSpeaker();
    const [topics, data] = said(escrow);
    await learn(topics, data);
    expect(await look()).toEqual(refused(`${speaker} would say something else about this wallet`));
    const again = await verify({ to: speaker });
    expect(await again()).toEqual(fine);
  });

  test("is not compared when it is without end", async () => {
    const look = await verify({ to: await harness.place("Chatter") });
    expect(await look()).toEqual(
      refused("it would have failed when it was verified: it reaches more places"),
    );
  });
});

describe("another transaction of the wallet", () => {
  test("that is under way is waited for, and then it is sent", async () => {
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
