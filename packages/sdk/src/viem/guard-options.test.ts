import { describe, expect, test, vi } from "vitest";
import type { Countersign } from "../client.ts";
import type { TransactionView } from "../types.ts";
import { findNotApproved, guard, type GuardOptions } from "./index.ts";
import {
  account,
  recordingNode,
  requestHash,
  scripted,
  transactionHash,
  type Script,
} from "../../test/viem/scripted.ts";

const payment = { to: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e", value: 1n } as const;
const words = "Send 1 wei to Bob";

function aGuarded(script: Script, options: Partial<GuardOptions> = {}) {
  const said = scripted(script).countersign;
  const propose = vi.fn(said.propose);
  const waitForStatus = vi.fn(said.waitForStatus);
  const countersign = { ...said, propose, waitForStatus } as unknown as Countersign;
  const node = recordingNode();
  const wallet = guard(node.wallet(), { countersign, words, ...options });
  return { node, wallet, propose, waitForStatus };
}

const byService = (executed: Partial<TransactionView>, decided: Partial<TransactionView> = {}): Script => ({
  decide: () => ({ executor: "service", ...decided }),
  executed: { executor: "service", ...executed },
});

describe("the options of a guard reach the client", () => {
  const { signal } = new AbortController();
  const onProgress = (): void => undefined;
  test.each([
    [{}, {}],
    [{ timeoutMs: 5 }, {}],
    [{ signal }, { signal }],
    [{ onProgress }, {}],
    [{ timeoutMs: 5, signal, onProgress }, { signal }],
  ])("case %#: those that were given, and no others", async (options, ofProposal) => {
    const script = byService({ status: "EXECUTED", transactionHash });
    const { wallet, propose, waitForStatus } = aGuarded(script, options);
    await wallet.sendTransaction(payment);
    expect(propose.mock.calls.map((asked) => asked[1])).toStrictEqual([ofProposal]);
    expect(waitForStatus.mock.calls).toStrictEqual([
      [requestHash, ["APPROVED"], options],
      [requestHash, ["EXECUTED"], options],
    ]);
  });
});

test("a guarded wallet names its account to an app that asks", async () => {
  const { wallet, node } = aGuarded({});
  expect(await wallet.requestAddresses()).toEqual([account.address]);
  expect(node.methods()).toEqual([]);
});

test("a wallet without a chain sends where its node is", async () => {
  const node = recordingNode();
  const bare = { ...node.wallet(), chain: undefined };
  const wallet = guard(bare as unknown as ReturnType<typeof node.wallet>, {
    countersign: scripted().countersign,
    words,
  });
  expect(await wallet.sendTransaction({ ...payment, chain: null })).toBe(transactionHash);
});

describe("a transaction that the service sends", () => {
  test("returns its hash if it was sent already when it was asked for", async () => {
    const sent = { status: "EXECUTED", transactionHash } as const;
    const { wallet } = aGuarded(byService(sent, sent));
    expect(await wallet.sendTransaction(payment)).toBe(transactionHash);
  });

  test.each([
    ["is not executed, though it has a hash", { status: "FAILED", transactionHash, reason: "gas" }, "gas"],
    ["has no hash", { status: "EXECUTED", transactionHash: null }, "EXECUTED"],
  ] as const)("is refused if it %s", async (_, executed, why) => {
    const { wallet } = aGuarded(byService(executed));
    const error: unknown = await wallet.sendTransaction(payment).catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message).toBe(`Not sent: ${why}`);
  });
});

test("an approval that has expired sends nothing", async () => {
  const { wallet, node } = aGuarded({ decide: () => ({ phase: "LAPSED" }) });
  const error: unknown = await wallet.sendTransaction(payment).catch((thrown: unknown) => thrown);
  expect(findNotApproved(error)?.message).toMatch("has expired");
  expect(node.sent()).toEqual([]);
});
