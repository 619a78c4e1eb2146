// Batches through a guarded viem wallet: with its key here, and with a wallet that holds the key.
import { hashPayload, parseCalls } from "@countersign/wire";
import { concat, encodeFunctionData, erc20Abi, numberToHex, type Hex } from "viem";
import { sepolia } from "viem/chains";
import { describe, expect, test } from "vitest";
import { ConflictError } from "../errors.ts";
import type { Receipt, TransactionView } from "../types.ts";
import { makeShapedReceipt, terms, trust } from "../../test/receipt.ts";
import {
  account,
  recordingNode,
  requestHash,
  scripted,
  transactionHash,
  type Script,
} from "../../test/viem/scripted.ts";
import { findNotApproved, guard, type GuardOptions } from "./index.ts";

const payee = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const token = "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238";
const words = `Send 1 USDC and 5 wei to ${payee}`;
const transfer = encodeFunctionData({
  ...{ abi: erc20Abi, functionName: "transfer", args: [payee, 1_000_000n] },
});
const asked = [
  { to: token, data: transfer },
  { to: payee, value: 5n },
] as const;
const batch = (atomicRequired: boolean) =>
  parseCalls({ chainId: sepolia.id, from: account.address, atomicRequired, calls: asked });

/** As a node reports a transaction that is mined. */
const receiptOf = (status: "0x0" | "0x1") => ({
  ...{ status, transactionHash, blockHash: transactionHash, blockNumber: "0x1", transactionIndex: "0x0" },
  ...{ from: account.address, to: payee, logs: [], logsBloom: "0x", contractAddress: null, type: "0x2" },
  ...{ gasUsed: "0x1", cumulativeGasUsed: "0x1", effectiveGasPrice: "0x1" },
});

type Sending = {
  readonly script?: Script;
  readonly options?: Partial<GuardOptions>;
  readonly of?: Hex;
  readonly atomic?: boolean;
  readonly node?: Readonly<Record<string, unknown>>;
};

async function send({ script = {}, options = {}, of, atomic = of !== undefined, node: over }: Sending) {
  const said = scripted(script);
  const node = recordingNode({
    ...{ wallet_sendCalls: { id: "0x0b", capabilities: { any: 1 } }, eth_blockNumber: "0x1" },
    ...{ eth_getTransactionReceipt: receiptOf("0x1"), ...over },
  });
  const wallet = guard(node.wallet(of ?? account), {
    ...{ countersign: said.countersign, words, onReview: () => undefined, ...options },
  });
  const result = await wallet.sendCalls({ calls: asked, forceAtomic: atomic }).then(
    (sent) => ({ sent, error: undefined }),
    (error: unknown) => ({ sent: undefined, error }),
  );
  const did = node.methods().filter((method) => /send/i.test(method));
  return { ...said, ...result, refusal: findNotApproved(result.error)?.message, node, did, wallet };
}

describe.each([
  ["a wallet with its key here", undefined],
  ["a wallet that holds the key", account.address],
] as const)("%s", (_, of) => {
  const own = of === undefined ? {} : { of };
  const exact = batch(of !== undefined);
  const signingHash = hashPayload({ shape: "calls", calls: exact });

  test("proposes the whole batch, and releases exactly its hash before it is sent", async () => {
    const { proposals, releases, error } = await send(own);
    expect(error).toBeUndefined();
    expect(proposals).toEqual([
      { calls: exact, chainId: sepolia.id, escrowAddress: account.address, userPrompt: words },
    ]);
    expect(releases).toEqual([[requestHash, signingHash]]);
  });

  test.each(["REJECTED", "FAILED", "PENDING", "EXECUTED"] as const)(
    "sends nothing if the status is %s",
    async (status) => {
      const { refusal, releases, did } = await send({ ...own, script: { decide: () => ({ status }) } });
      expect(refusal).toMatch(/^Not sent: /);
      expect([releases, did]).toEqual([[], []]);
    },
  );

  const others: [string, Partial<TransactionView>][] = [
    ["hash", { signingHash: `0x${"00".repeat(32)}` }],
    ["shape, with the same hash", { shape: "typedData" }],
    ["shape, which is unknown", { shape: null, signingHash: null }],
    ["chain", { chainId: 1 }],
    ["account", { escrowAddress: payee }],
  ];
  test.each(others)("sends nothing if the approved %s differs", async (__, over) => {
    const { refusal, releases, did } = await send({ ...own, script: { decide: () => over } });
    expect(refusal).toBe("Not sent: the approved transaction differs from the requested one");
    expect([releases, did]).toEqual([[], []]);
  });

  test("sends nothing that was released before", async () => {
    const release = () =>
      Promise.reject(new ConflictError({ status: 409, message: "released before" } as never));
    const { refusal, did } = await send({ ...own, script: { release } });
    expect([refusal, did]).toEqual(["Not sent: released before", []]);
  });

  test("with a trusted signer, sends only with a signed verdict about a batch with this hash", async () => {
    const receipt =
      (shape: "calls" | "typedData", calls = exact) =>
      (): Promise<Receipt> =>
        makeShapedReceipt({
          over: {
            ...{ ...terms, chainId: sepolia.id, escrow: account.address, userPrompt: words },
            payload: { shape: "calls", calls },
          },
          signedOver: { shape },
        });
    const hash = (await receipt("calls")()).requestHash;
    const decide = () => ({ requestHash: hash as Hex });
    const proposed = { requestHash: hash };
    const ask = (receiptOf: () => Promise<Receipt>) =>
      send({ ...own, options: { trust }, script: { proposed, decide, receipt: receiptOf } });
    expect((await ask(receipt("calls"))).error).toBeUndefined();
    expect((await ask(receipt("typedData"))).refusal).toMatch(/^Not sent: its receipt is invalid/);
    const other = { ...exact, atomicRequired: !exact.atomicRequired };
    expect((await ask(receipt("calls", other))).refusal).toMatch(/^Not sent: the signed verdict belongs/);
  });

  test("needs the request for a batch if the request depends on the call", async () => {
    const { refusal, proposals } = await send({ ...own, options: { words: () => words } });
    expect([refusal, proposals]).toEqual([expect.stringContaining("wordsForCalls"), []]);
    const given: unknown[] = [];
    const wordsForCalls = (calls: unknown) => {
      given.push(calls);
      return words;
    };
    expect((await send({ ...own, options: { words: () => "", wordsForCalls } })).error).toBeUndefined();
    expect(given).toEqual([exact]);
  });

  test("refuses to send what must be simulated again", async () => {
    const { refusal, proposals } = await send({ ...own, options: { requireFresh: true } });
    expect([refusal, proposals]).toEqual([expect.stringContaining("requireFresh"), []]);
  });
});

test("a wallet that holds the key gets exactly the approved batch, once", async () => {
  const { sent, node, did } = await send({ of: account.address });
  expect(sent).toEqual({ id: "0x0b" });
  expect(did).toEqual(["wallet_sendCalls"]);
  expect(node.requests.find(({ method }) => method === "wallet_sendCalls")?.params).toEqual([
    {
      ...{ version: "2.0.0", chainId: numberToHex(sepolia.id), from: account.address.toLowerCase() },
      ...{ atomicRequired: true },
      calls: [
        { to: token, value: "0x0", data: transfer },
        { to: payee, value: "0x5", data: "0x" },
      ],
    },
  ]);
});

test("an answer of the wallet without an id is an error", async () => {
  const { error } = await send({ of: account.address, node: { wallet_sendCalls: {} } });
  expect(String(error)).toContain("Approved, but the wallet did not send it: its answer has no id");
});

describe("a wallet with its key here", () => {
  const idOf = (...hashes: readonly Hex[]): Hex =>
    concat([...hashes, numberToHex(sepolia.id, { size: 32 }), `0x${"5792".repeat(16)}`]);

  test("sends one transaction per call, in order, and viem reads their status from the id", async () => {
    const { sent, node, wallet } = await send({});
    expect(node.sent()).toEqual([
      { to: token, value: 0n, data: transfer, chainId: sepolia.id },
      { to: payee, value: 5n, data: "0x", chainId: sepolia.id },
    ]);
    expect(sent).toEqual({ id: idOf(transactionHash, transactionHash) });
    const { status, receipts } = await wallet.getCallsStatus({ id: sent?.id ?? "" });
    expect([status, receipts?.length]).toEqual(["success", 2]);
  });

  test("stops at a call that reverts, and its id says that the next one was not sent", async () => {
    const reverted = { eth_getTransactionReceipt: receiptOf("0x0") };
    const { sent, node } = await send({ node: reverted });
    expect(node.sent()).toHaveLength(1);
    expect(sent).toEqual({ id: idOf(transactionHash, `0x${"00".repeat(32)}`) });
  });

  test("throws if the first call cannot be sent", async () => {
    const { error } = await send({ node: { eth_sendRawTransaction: new Error("no funds") } });
    expect(String(error)).toContain("Approved, but the wallet did not send it: ");
  });

  test("all fees together stay within the limit", async () => {
    // Each transaction costs up to 21,000 gas at a few gwei.
    const { refusal, node } = await send({ options: { maxFee: 10n ** 14n } });
    const single = await send({ options: { maxFee: 10n ** 13n } });
    expect([refusal, node.sent().length]).toEqual([undefined, 2]);
    expect(single.refusal).toMatch("Not sent: the fee of up to");
  });

  test("is not asked for a batch that must be atomic", async () => {
    const { refusal, proposals } = await send({ atomic: true });
    expect([refusal, proposals]).toEqual([expect.stringContaining("atomicRequired"), []]);
  });
});

describe("refuses before it proposes", () => {
  const call = { to: payee, value: "0x5" };
  const good = {
    ...{ version: "2.0.0", chainId: numberToHex(sepolia.id), from: account.address, atomicRequired: false },
    calls: [call],
  };
  test.each([
    ["no batch", []],
    ["two batches", [good, good]],
    ["another sender", [{ ...good, from: payee }]],
    ["a sender that is no address", [{ ...good, from: 5 }]],
    ["another chain", [{ ...good, chainId: "0x1" }]],
    ["no chain", [{ ...good, chainId: undefined }]],
    ["a paymaster", [{ ...good, capabilities: { paymasterService: { url: "https://example.com" } } }]],
    ["an id", [{ ...good, id: "0x01" }]],
    ["no calls", [{ ...good, calls: [] }]],
    ["a deployment", [{ ...good, calls: [{ data: "0x6000" }] }]],
    ["a call with capabilities", [{ ...good, calls: [{ ...call, capabilities: {} }] }]],
    ["an older version", [{ ...good, version: "1.0" }]],
    ["a batch that does not say whether it is atomic", [{ ...good, atomicRequired: undefined }]],
  ])("%s", async (_, params) => {
    const { countersign, proposals } = scripted();
    const node = recordingNode();
    const wallet = guard(node.wallet(), { countersign, words });
    const asking = wallet.request({ method: "wallet_sendCalls", params } as never);
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not sent: /);
    expect([proposals, node.sent()]).toEqual([[], []]);
  });

  test("a change of the batch while it waits changes nothing", async () => {
    const { countersign, proposals } = scripted();
    const node = recordingNode({ wallet_sendCalls: "0x0c" });
    const wallet = guard(node.wallet(account.address), { countersign, words });
    const given = structuredClone(good);
    const sending = wallet.request({ method: "wallet_sendCalls", params: [given] } as never);
    given.calls[0] = { to: token, value: "0xffff" };
    expect(await sending).toEqual({ id: "0x0c" });
    expect(proposals[0]?.calls?.calls).toEqual([{ to: payee, value: "5", data: "0x" }]);
  });
});
