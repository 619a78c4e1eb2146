// A guarded wallet on a real chain with real contracts, on which something changes between the approval and the sending.
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseAbi,
  parseEther,
  keccak256,
  pad,
  parseUnits,
  toHex,
  type Hex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { mainnet } from "viem/chains";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { BalanceBound, Bounds } from "@countersign/wire";
import { makeSupervisor, startAnvil, type Anvil } from "../../../../tools/engines/index.ts";
import { freePorts, makeTempDir } from "../../../../tools/testing/index.ts";
import { addresses as at, buildWorld, oddTokens } from "../../../../tools/world/index.ts";
import { makeStage, type Stage } from "../../../../tools/world/place.ts";
import { scripted } from "../../test/viem/scripted.ts";
import type { Receipt } from "../types.ts";
import { findNotApproved, guard, StateChangedError, type GuardOptions } from "../viem/index.ts";
import { NotSimulated, simulateFresh, type Ask } from "./simulate-fresh.ts";

const dir = makeTempDir("fresh");
const supervisor = makeSupervisor({ logDir: dir });
const account = privateKeyToAccount(generatePrivateKey());
const me = account.address.toLowerCase() as Hex;
const bob: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const reviewUrl = "https://countersign.example/t/1";
let [anvil, world] = [undefined, undefined] as unknown as [Anvil, Stage];
let snapshot: Hex;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port, chainId: 1 });
  const { holders } = await buildWorld(anvil);
  world = makeStage(anvil.url);
  const [alice = "0x"] = holders;
  const give = async (token: Hex, amount: bigint): Promise<unknown> =>
    world.write({ to: token, abi: erc20Abi, from: alice }, "transfer", [me, amount]);
  await world.chain.setBalance({ address: me, value: parseEther("100") });
  await give(at.usdc, parseUnits("100000", 6));
  await give(at.dai, parseUnits("100000", 18));
  await world.chain.impersonateAccount({ address: me });
  await world.write({ to: at.usdc, abi: erc20Abi, from: me }, "approve", [at.v2Router, 2n ** 256n - 1n]);
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  snapshot = await world.chain.snapshot();
});
afterEach(async () => {
  await world.chain.revert({ id: snapshot });
});

const router = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 least, address[] path, address to, uint256 deadline)",
]);
type Call = { readonly to: Hex; readonly data: Hex; readonly value: bigint };
const swap = (amount: bigint): Call => ({
  ...{ to: at.v2Router, value: 0n },
  data: encodeFunctionData({
    ...{ abi: router, functionName: "swapExactTokensForTokens" },
    args: [amount, 0n, [at.usdc, at.weth], me, 4_000_000_000n],
  }),
});
const pay = (token: Hex, amount: bigint): Call => ({
  ...{ to: token, value: 0n },
  data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [bob, amount] }),
});
const send = (value: bigint): Call => ({ to: bob, data: "0x", value });

const askNode: Ask = (method, params) => world.chain.request({ method, params } as never);
const own = (token: Hex | null) => ({ holder: me, token });
const bobs = (token: Hex | null) => ({ holder: bob, token });

/** Approves now: returns the report with the bounds that the validator would set, which are measured on the chain. */
async function approve(
  call: Call,
  balances: readonly Pick<BalanceBound, "holder" | "token">[],
): Promise<Receipt> {
  const { number, hash } = await world.chain.getBlock({ blockTag: "latest" });
  const bounds: Bounds = {
    ...{ account: me, block: { number, hash }, allowances: [] },
    changes: balances.map((one) => ({ ...one, symbol: null, approved: 0n, least: -(2n ** 255n) })),
  };
  const now = await simulateFresh(askNode, bounds, { ...call, from: me, fees: {} });
  if (!now.succeeded) throw new Error(`it would fail: ${now.reason ?? ""}`);
  const changes = balances.map(({ holder, token }, index) => {
    const approved = now.changes[index] ?? 0n;
    const least = holder === me && approved > 0n ? (approved * 99n) / 100n : approved;
    const asset = token === null ? { kind: "native" } : { kind: "token", address: token };
    return { holder, ...asset, symbol: null, approved: approved.toString(), least: least.toString() };
  });
  const told = {
    status: "known",
    account: me,
    block: { number: number.toString(), hash },
    changes,
    allowances: [],
  };
  return { report: { context: { bounds: told } } } as unknown as Receipt;
}

type Given = Partial<GuardOptions> & { readonly url?: string };

/** Sends through a guard whose service has approved it with that receipt. */
async function sendGuarded(call: Call, receipt: Receipt, { url = anvil.url, ...given }: Given = {}) {
  const { countersign } = scripted({ receipt: async () => receipt, proposed: { reviewUrl } });
  const bare = createWalletClient({ account, chain: mainnet, transport: http(url, { retryCount: 0 }) });
  const warnings: string[] = [];
  const wallet = guard(bare, {
    ...{ countersign, words: "as approved", onReview: () => undefined },
    ...{ onNotFresh: (why: string) => void warnings.push(why), ...given },
  });
  const nonce = await world.chain.getTransactionCount({ address: me });
  const outcome: unknown = await wallet.sendTransaction(call).catch((error: unknown) => error);
  const isSent = (await world.chain.getTransactionCount({ address: me, blockTag: "pending" })) > nonce;
  const refusal = findNotApproved(outcome);
  return { isSent, refusal, warnings, outcome };
}

const tokenOf = async (token: Hex, holder: Hex): Promise<bigint> =>
  BigInt(String(await world.read({ to: token, abi: erc20Abi }, "balanceOf", [holder])));

describe("unchanged", () => {
  test("a swap is sent, and does what was simulated", async () => {
    const call = swap(parseUnits("3000", 6));
    const receipt = await approve(call, [own(at.usdc), own(at.weth)]);
    const before = [await tokenOf(at.usdc, me), await tokenOf(at.weth, me)];
    const { isSent, warnings, outcome } = await sendGuarded(call, receipt);
    expect([isSent, warnings]).toEqual([true, []]);
    await vi.waitFor(async () => {
      const { status } = await world.chain.getTransactionReceipt({ hash: outcome as Hex });
      expect(status).toBe("success");
    });
    const after = [await tokenOf(at.usdc, me), await tokenOf(at.weth, me)];
    const { changes } = (receipt.report as { context: { bounds: { changes: { approved: string }[] } } })
      .context.bounds;
    expect(after.map((now, index) => now - (before[index] ?? 0n))).toEqual(
      changes.map(({ approved }) => BigInt(approved)),
    );
  });

  test.each<[string, Call, readonly Pick<BalanceBound, "holder" | "token">[], readonly bigint[]]>([
    [
      "a payment of a token",
      pay(at.usdc, 5_000_000n),
      [own(at.usdc), bobs(at.usdc)],
      [-5_000_000n, 5_000_000n],
    ],
    [
      "a payment of the native token",
      send(parseEther("1")),
      [own(null), bobs(null)],
      [-parseEther("1"), parseEther("1")],
    ],
  ])("%s is sent, without its fee in the bounds", async (_, call, balances, amounts) => {
    const receipt = await approve(call, balances);
    const { changes } = (receipt.report as { context: { bounds: { changes: { approved: string }[] } } })
      .context.bounds;
    expect(changes.map(({ approved }) => BigInt(approved))).toEqual(amounts);
    expect(await sendGuarded(call, receipt, { requireFresh: true })).toMatchObject({
      isSent: true,
      warnings: [],
    });
  });

  test("a price that moves within the tolerance does not stop it", async () => {
    const call = swap(parseUnits("3000", 6));
    const receipt = await approve(call, [own(at.usdc), own(at.weth)]);
    await movePrice(parseUnits("50000", 6));
    expect(await sendGuarded(call, receipt)).toMatchObject({ isSent: true });
  });
});

/** Another account buys first. */
async function movePrice(amount: bigint): Promise<void> {
  const { data, to } = swap(amount);
  const whale: Hex = "0x00000000000000000000000000000000000dec10";
  await world.write({ to: at.usdc, abi: erc20Abi, from: whale }, "approve", [at.v2Router, 2n ** 256n - 1n]);
  await world.send({ from: whale, to, data: data.replace(me.slice(2), whale.slice(2)) as Hex });
}

describe("stops and says what changed", () => {
  const expectRefused = (
    { isSent, refusal }: Awaited<ReturnType<typeof sendGuarded>>,
    ...changes: readonly string[]
  ): void => {
    expect(isSent).toBe(false);
    expect(refusal).toBeInstanceOf(StateChangedError);
    const found = refusal as StateChangedError;
    expect(found.changes).toEqual(changes.map((change) => expect.stringContaining(change) as string));
    expect(found.reviewUrl).toBe(reviewUrl);
    expect(found.message).toContain(`Review it at ${reviewUrl}`);
  };

  test("a pool whose price moved", async () => {
    const call = swap(parseUnits("3000", 6));
    const receipt = await approve(call, [own(at.usdc), own(at.weth)]);
    await movePrice(parseUnits("1000000", 6));
    expectRefused(await sendGuarded(call, receipt), `base units of ${at.weth} would arrive`);
  });

  test("a token that keeps a fee by now", async () => {
    const call = pay(at.dai, 1_000n);
    const receipt = await approve(call, [own(at.dai), bobs(at.dai)]);
    const code = await world.chain.getCode({ address: oddTokens.fee });
    await world.chain.setCode({ address: at.dai, bytecode: code ?? "0x" });
    expectRefused(await sendGuarded(call, receipt), `990 base units of ${at.dai} would arrive at ${bob}`);
  });

  test("an account that has been emptied", async () => {
    const call = pay(at.usdc, parseUnits("60000", 6));
    const receipt = await approve(call, [own(at.usdc), bobs(at.usdc)]);
    await world.write({ to: at.usdc, abi: erc20Abi, from: me }, "transfer", [at.dai, parseUnits("90000", 6)]);
    expectRefused(await sendGuarded(call, receipt), "it would fail now");
  });

  test("an account without the native token", async () => {
    const call = send(parseEther("1"));
    const receipt = await approve(call, [own(null), bobs(null)]);
    await world.chain.setBalance({ address: me, value: parseEther("0.5") });
    expectRefused(await sendGuarded(call, receipt), "it would fail now: insufficient funds");
  });

  test("a recipient that refuses by now", async () => {
    const call = pay(oddTokens.blocking, 10n);
    await world.write(
      { to: oddTokens.blocking, abi: parseAbi(["function mint(address to, uint256 value)"]) },
      "mint",
      [me, 100n],
    );
    const receipt = await approve(call, [own(oddTokens.blocking), bobs(oddTokens.blocking)]);
    const abi = parseAbi(["function setBlocked(address who, bool blocked)"]);
    await world.write({ to: oddTokens.blocking, abi }, "setBlocked", [bob, true]);
    expectRefused(await sendGuarded(call, receipt), "it would fail now");
  });

  test("allowances and items that the account gives away, by the events of a contract", async () => {
    const word = (hex: Hex): Hex => pad(hex, { size: 32 });
    const forAll = keccak256(toHex("ApprovalForAll(address,address,bool)"));
    const single = keccak256(toHex("TransferSingle(address,address,address,uint256,uint256)"));
    const emitter: Hex = "0xe5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5";
    const call = { to: emitter, data: "0x", value: 0n } as const;
    await world.chain.setCode({ address: emitter, bytecode: "0x00" });
    const receipt = await approve(call, []);
    // PUSH32 of each topic in reverse, and one word of data: MSTORE(0, 1), LOG3 or LOG4.
    const push = (value: Hex): string => `7f${value.slice(2)}`;
    const one = "6001600052";
    await world.chain.setCode({
      address: emitter,
      bytecode: `0x${one}${push(word(bob))}${push(word(me))}${push(forAll)}60206000a3${push(word(bob))}${push(word(me))}${push(word(me))}${push(single)}60206000a400`,
    });
    expectRefused(
      await sendGuarded(call, receipt),
      `1 base units of ${emitter} would leave, of which none did`,
      `${bob} could take 1 base units of ${emitter}`,
    );
  });

  test("bounds that are stricter than the chain", async () => {
    const call = pay(at.usdc, 5n);
    const receipt = await approve(pay(at.usdc, 4n), [own(at.usdc), bobs(at.usdc)]);
    expectRefused(await sendGuarded(call, receipt), `5 base units of ${at.usdc} would leave`);
  });

  test("a token that is not in the bounds", async () => {
    const call = pay(at.usdc, 5n);
    const receipt = await approve(call, []);
    expectRefused(
      await sendGuarded(call, receipt),
      `5 base units of ${at.usdc} would leave, of which none did`,
    );
  });
});

describe("a node from which nothing follows", () => {
  type Rpc = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };
  let server: Server;
  let answerOf: (rpc: Rpc, real: () => Promise<unknown>) => Promise<object>;
  let url = "";
  beforeAll(async () => {
    server = createServer((request, response) => {
      void (async () => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const rpc = JSON.parse(body) as Rpc;
        const real = async () => askNode(rpc.method, rpc.params);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, ...(await answerOf(rpc, real)) }));
      })();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Passes everything on except the method, to which it gives this answer. */
  const lie =
    (method: string, told: (real: () => Promise<unknown>, rpc: Rpc) => unknown) =>
    async (rpc: Rpc, real: () => Promise<unknown>): Promise<object> => {
      if (rpc.method !== method) return { result: await real() };
      const answer: unknown = await told(real, rpc);
      return answer instanceof Error
        ? { error: { code: -32601, message: answer.message } }
        : { result: answer };
    };
  const behind = async (real: () => Promise<unknown>, { params }: Rpc): Promise<unknown> =>
    params[0] === "latest" ? askNode("eth_getBlockByNumber", ["0x1", false]) : real();
  const forked = async (real: () => Promise<unknown>, { params }: Rpc): Promise<unknown> => {
    const block = (await real()) as object;
    return params[0] === "latest" ? block : { ...block, hash: `0x${"12".repeat(32)}` };
  };
  const withCalls =
    (change: (calls: readonly unknown[]) => unknown) => async (real: () => Promise<unknown>) => {
      const [block] = (await real()) as [{ readonly calls: readonly unknown[] }];
      return [{ ...block, calls: change(block.calls) }];
    };

  test.each<[string, typeof answerOf, string]>([
    [
      "does not know the method",
      lie("eth_simulateV1", () => new Error("method not found")),
      "the node cannot simulate",
    ],
    ["answers null", lie("eth_simulateV1", () => null), "cannot be read"],
    ["answers with a text", lie("eth_simulateV1", () => "nonsense"), "cannot be read"],
    [
      "answers with fewer calls",
      lie(
        "eth_simulateV1",
        withCalls((calls) => calls.slice(1)),
      ),
      "cannot be read",
    ],
    [
      "answers with an unknown status",
      lie(
        "eth_simulateV1",
        withCalls((calls) => calls.map(() => ({ status: "yes" }))),
      ),
      "cannot be read",
    ],
    [
      "ignores the block",
      lie("eth_simulateV1", async (real) => [{ ...((await real()) as object[])[0], timestamp: "0x1" }]),
      "ignores the values",
    ],
    ["is behind", lie("eth_getBlockByNumber", behind), "has not reached block"],
    [
      "does not have the block",
      lie("eth_getBlockByNumber", async (real, { params }) => (params[0] === "latest" ? real() : null)),
      "has not reached block",
    ],
    ["is on another fork", lie("eth_getBlockByNumber", forked), "is not on the node's chain"],
    [
      "has had no block for an hour",
      lie("eth_getBlockByNumber", async (real) => ({
        ...((await real()) as object),
        timestamp: `0x${(Math.floor(Date.now() / 1000) - 3_600).toString(16)}`,
      })),
      "seconds old",
    ],
    ["has no blocks", lie("eth_getBlockByNumber", () => ({})), "cannot be read"],
    ["does not answer", lie("eth_gasPrice", () => new Error("busy")), "the node did not answer eth_gasPrice"],
  ])("%s: sends with a warning, and not at all if freshness is required", async (_, answer, why) => {
    const call = pay(at.usdc, 5n);
    const receipt = await approve(call, [own(at.usdc), bobs(at.usdc)]);
    // Only before the sending: the wallet then asks the node for the same things.
    const ask: Ask = async (method, params) => {
      const told = await answer({ id: 1, method, params }, () => askNode(method, params));
      if ("error" in told) throw Object.assign(new Error("refused"), told.error);
      return "result" in told ? told.result : undefined;
    };
    const { bounds } = (receipt.report as { context: { bounds: { block: { number: string; hash: Hex } } } })
      .context;
    const read: Bounds = {
      ...{
        account: me,
        allowances: [],
        changes: [{ ...own(at.usdc), symbol: null, approved: 0n, least: 0n }],
      },
      block: { number: BigInt(bounds.block.number), hash: bounds.block.hash },
    };
    const simulated = simulateFresh(ask, read, { ...call, from: me, fees: { gas: 100_000n } });
    await expect(simulated).rejects.toThrow(NotSimulated);
    await expect(simulated).rejects.toThrow(why);

    answerOf = answer;
    const strict = await sendGuarded(call, receipt, { url, requireFresh: true });
    expect(strict.isSent).toBe(false);
    expect(strict.refusal?.message).toContain("it could not be simulated again");
  });

  test("that cannot simulate: sends with a warning by default", async () => {
    const call = pay(at.usdc, 5n);
    const receipt = await approve(call, [own(at.usdc), bobs(at.usdc)]);
    answerOf = lie("eth_simulateV1", () => new Error("method not found"));
    const { isSent, warnings } = await sendGuarded(call, receipt, { url });
    expect([isSent, warnings]).toEqual([true, [expect.stringContaining("the node cannot simulate")]]);
    expect(warnings.join()).not.toContain(url);
  });
});

describe("a report without bounds", () => {
  const without = { report: { context: {} } } as unknown as Receipt;
  test("is sent, unless freshness is required", async () => {
    const call = send(1n);
    expect(await sendGuarded(call, without)).toMatchObject({ isSent: true });
    const strict = await sendGuarded(call, without, { requireFresh: true });
    expect(strict.isSent).toBe(false);
    expect(strict.refusal?.message).toContain("the report has no bounds");
  });

  test("that belongs to another account is not used", async () => {
    const receipt = await approve(send(1n), [own(null)]);
    const { bounds } = (receipt.report as { context: { bounds: object } }).context;
    const other = { report: { context: { bounds: { ...bounds, account: bob } } } } as unknown as Receipt;
    const { isSent, refusal } = await sendGuarded(send(1n), other, { requireFresh: true });
    expect([isSent, refusal?.message]).toEqual([false, expect.stringContaining("another account")]);
  });

  test("is not asked for if the check is off", async () => {
    const call = pay(at.usdc, 5n);
    const receipt = await approve(pay(at.usdc, 4n), [own(at.usdc)]);
    expect(await sendGuarded(call, receipt, { fresh: false })).toMatchObject({ isSent: true, warnings: [] });
  });
});
