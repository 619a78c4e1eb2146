// The chain watch on a real chain: the database matches what happened, whatever the chain, the node and the processes
// do.
import { sql } from "kysely";
import { encodeFunctionData, parseAbi, toEventSelector } from "viem";
import { makeLog } from "@countersign/platform/log";
import { findRunSeed, waitUntil } from "@countersign/tools/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeChainReader } from "../../adapters/chain/index.ts";
import { makeExpireOverdue } from "./expire.ts";
import type { LifecycleEvent } from "../lifecycle.ts";
import type { Call, Hex } from "../transaction.ts";
import { startWatching } from "./index.ts";
import { playRandomly } from "../../../test/transactions/watch/random-story.ts";
import {
  aCall,
  approved,
  finalDepth,
  setHarness,
  somewhere,
  type Harness,
  type Wallet,
} from "../../../test/transactions/watch/harness.ts";

let harness: Harness;
let wallet: Wallet;

beforeAll(async () => {
  harness = await setHarness();
});
beforeEach(async () => {
  harness.node.behave();
  wallet = await harness.aWallet();
  // So that no reorg reaches back before the test.
  await harness.mine(finalDepth + 1);
  await harness.watch();
});
afterAll(() => harness.close());

const finalise = async (): Promise<void> => {
  await harness.mine(finalDepth);
  await harness.watch();
};

/** Always reverts. */
async function aRefusal(): Promise<Hex> {
  const address = somewhere();
  await harness.chain.setCode({ address, bytecode: "0x60006000fd" });
  return address;
}

describe("a contract wallet", () => {
  const abi = parseAbi([
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
    "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
    "function execute(address to, uint256 value, bytes data)",
  ]);
  const nobody = "0x0000000000000000000000000000000000000000";
  const outcome = { success: "ExecutionSuccess", failure: "ExecutionFailure" } as const;
  /** Emits the event of a Safe, whatever it is called with. */
  const becomeSafe = (address: Hex, how: keyof typeof outcome): Promise<void> =>
    harness.chain.setCode({
      address,
      bytecode: `0x7f${toEventSelector(`${outcome[how]}(bytes32,uint256)`).slice(2)}60406000a100`,
    });
  const throughSafe = ({ to, value, data }: Call, operation = 0): Hex =>
    encodeFunctionData({
      abi,
      functionName: "execTransaction",
      args: [to, value, data, operation, 0n, 0n, 0n, nobody, nobody, "0x"],
    });
  const throughEntryPoint = (sender: Hex, { to, value, data }: Call): Hex => {
    const callData = encodeFunctionData({ abi, functionName: "execute", args: [to, value, data] });
    const word = `0x${"00".repeat(32)}` as const;
    const op = { sender, nonce: 0n, initCode: "0x", callData, accountGasLimits: word } as const;
    const rest = { preVerificationGas: 0n, gasFees: word, paymasterAndData: "0x", signature: "0x" } as const;
    return encodeFunctionData({ abi, functionName: "handleOps", args: [[{ ...op, ...rest }], nobody] });
  };
  /** Emits a UserOperationEvent of that sender, whatever it is called with. */
  async function anEntryPoint(
    sender: Hex,
    success: boolean,
    address: Hex = "0x0000000071727de22e5e9d8baf0edac6f37da032",
  ): Promise<Hex> {
    const topic = toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)");
    const flag = success ? "6001602052" : "";
    // LOG4 of four words: paymaster, sender and hash are topics.
    const bytecode =
      `0x${flag}6000` + `73${sender.slice(2)}` + "6000" + `7f${topic.slice(2)}` + "60806000a400";
    await harness.chain.setCode({ address, bytecode: bytecode as Hex });
    return address;
  }
  const call = aCall({ data: "0xdeadbeef" });
  let relayer: Wallet;
  beforeEach(async () => {
    relayer = await harness.aWallet();
  });

  test.each([
    ["success", { phase: "EXECUTED", alert: null }],
    ["failure", { phase: "FAILED", reason: "REVERTED" }],
  ] as const)("that is a Safe: its %s event counts for the inner call", async (how, expected) => {
    const proposal = await harness.aProposal(wallet, call);
    await becomeSafe(wallet.address, how);
    const { hash } = await relayer.send({ to: wallet.address, value: 0n, data: throughSafe(call) });
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", hash });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ ...expected, hash });
  });

  test.each([
    ["one byte of the data", { ...call, data: "0xdeadbeee" }, 0],
    ["the value", { ...call, value: call.value + 1n }, 0],
    ["the operation, a delegatecall", call, 1],
  ] as const)("that is a Safe: a call that differs in %s is another one", async (_what, other, operation) => {
    const proposal = await harness.aProposal(wallet, call);
    await becomeSafe(wallet.address, "success");
    await relayer.send({ to: wallet.address, value: 0n, data: throughSafe(other, operation) });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
  });

  test.each([
    [true, { phase: "EXECUTED", alert: null }],
    [false, { phase: "FAILED", reason: "REVERTED" }],
  ] as const)("with user operations: success %s of its operation counts", async (success, expected) => {
    const proposal = await harness.aProposal(wallet, call);
    const to = await anEntryPoint(wallet.address, success);
    await relayer.send({ to, value: 0n, data: throughEntryPoint(wallet.address, call) });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject(expected);
  });

  test("with user operations: an operation of another account is not its own", async () => {
    const proposal = await harness.aProposal(wallet, call);
    const to = await anEntryPoint(wallet.address, true);
    await relayer.send({ to, value: 0n, data: throughEntryPoint(relayer.address, call) });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
  });

  test("with user operations: the event of a contract that is no entry point shows nothing", async () => {
    const proposal = await harness.aProposal(wallet, call);
    const to = await anEntryPoint(wallet.address, true, somewhere());
    await relayer.send({ to, value: 0n, data: throughEntryPoint(wallet.address, call) });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
  });

  test("called by its owner's own transaction: an inner failure does not count as a success", async () => {
    const safe = somewhere();
    await becomeSafe(safe, "failure");
    const outer = { to: safe, value: 0n, data: throughSafe(call) };
    const proposal = await harness.aProposal(wallet, outer);
    await wallet.send(outer);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "FAILED", reason: "REVERTED" });
  });
});

describe("an expired approval", () => {
  const expireOverdue = (isDown = false) =>
    makeExpireOverdue({
      ...{
        store: harness.store,
        transition: harness.transition,
        log: makeLog({ app: "test", level: "silent" }),
      },
      chainOf: (chainId) =>
        chainId === harness.chainId
          ? makeChainReader({ chainId, rpcUrls: [isDown ? "http://127.0.0.1:9" : harness.node.url] })
          : undefined,
    });
  const runOut = (id: string, ago: string) =>
    sql`update transactions set expires_at = now() - ${ago}::interval where id = ${id}`.execute(harness.db);

  test("has failed if the chain was read to its end since then, and not before", async () => {
    const { id, ...proposal } = await harness.aProposal(wallet, aCall());
    await runOut(id, "0 seconds");
    await expireOverdue()();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY", status: "APPROVED" });
    await harness.watch();
    await expireOverdue(true)();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
    await expireOverdue()();
    expect(await harness.read(proposal)).toMatchObject({ phase: "FAILED", reason: "EXPIRED" });
  });

  test("lapses if the chain could not be read for long, and is EXECUTED if it is seen later", async () => {
    const call = aCall();
    const { id, ...proposal } = await harness.aProposal(wallet, call);
    await sql`update chain_cursors set caught_up_at = now() - interval '1 hour'`.execute(harness.db);
    await runOut(id, "601 seconds");
    await expireOverdue()();
    expect(await harness.read(proposal)).toMatchObject({
      ...{ phase: "LAPSED", status: "APPROVED", reason: "UNWATCHED" },
    });
    await wallet.send(call);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", late: true });
  });

  test("lapses for a contract wallet, because not every call of it can be seen", async () => {
    const { id, ...proposal } = await harness.aProposal(wallet, aCall());
    await harness.chain.setCode({ address: wallet.address, bytecode: "0x00" });
    await runOut(id, "1 second");
    await harness.watch();
    await expireOverdue()();
    expect(await harness.read(proposal)).toMatchObject({ phase: "LAPSED", reason: "UNWATCHED" });
  });
});

describe("exactly this call", () => {
  test("from the escrow's wallet is confirmed in a block, and EXECUTED only when that is final", async () => {
    const call = aCall({ data: "0xdeadbeef" });
    const proposal = await harness.aProposal(wallet, call);
    const { hash } = await wallet.send(call);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", status: "APPROVED", hash });
    await harness.mine(finalDepth - 1);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.mine(1);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash, late: false, alert: null });
  });

  test("is final when the chain itself says so", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    const watcher = harness.aWatcher(harness.anvilUrl);
    await harness.watch(watcher);
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.mine(2);
    await harness.watch(watcher);
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED" });
  });

  test.each([
    ["another value", { value: 1_001n }],
    ["other data", { data: "0x00" as const }],
  ])("does not match one with %s: raises an alert, and it may still be executed", async (_, other) => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send({ ...call, ...other });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({
      phase: "READY",
      alert: "MISMATCH",
      hash: undefined,
    });
    const { hash } = await wallet.send(call);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("does not match another destination or wallet, without an alert", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send({ ...call, to: somewhere() });
    await (await harness.aWallet()).send(call);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY", alert: null, hash: undefined });
  });

  test("of one proposal is not a mismatch of another to the same destination, also when the block is read twice", async () => {
    const call = aCall();
    const first = await harness.aProposal(wallet, call);
    const second = await harness.aProposal(wallet, { ...call, value: 5n });
    await wallet.send(call);
    const place = await harness.watchStore.readCursor(harness.chainId);
    await harness.watch();
    const reached = (await harness.watchStore.readCursor(harness.chainId)).at(-1);
    await harness.watchStore.moveCursor(harness.chainId, reached, place);
    await harness.watch();
    expect(await harness.read(first)).toMatchObject({ phase: "CONFIRMING" });
    expect(await harness.read(second)).toMatchObject({ phase: "READY", alert: null });
  });

  test("sent more often than proposed is executed once, with an alert", async () => {
    const call = aCall();
    const proposals = [await harness.aProposal(wallet, call), await harness.aProposal(wallet, call)];
    for (let time = 0; time < 2; time++) await wallet.send(call);
    await harness.watch();
    for (const proposal of proposals)
      expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", alert: null });
    await wallet.send(call);
    await finalise();
    for (const proposal of proposals)
      expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", alert: "EXECUTED_TWICE" });
  });

  test.each<[string, readonly LifecycleEvent[], object]>([
    ["before the order was recorded", ["startExecution"], { phase: "CONFIRMING", alert: null }],
    ["after it was", ["startExecution", "broadcast"], { phase: "CONFIRMING", alert: null }],
    [
      "though they say that they will not",
      ["startExecution", "broadcast", "custodyFails"],
      { phase: "FAILED" },
    ],
    ["past us, while it waits to be sent", [], { phase: "CONFIRMING", alert: null }],
  ])("sent through a custodian, %s, is executed", async (_when, events, meanwhile) => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call, [...approved, "handOver", ...events]);
    const { hash } = await wallet.send(call);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ ...meanwhile, hash });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("sent without us, before approval, is seen: raises an alert, and we do not send it", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call, ["pin", "register"]);
    await wallet.send(call);
    await harness.watch();
    await harness.happen(proposal, "verdictApproved", "userApproves", "handOver", "startExecution");
    expect(await harness.read(proposal)).toMatchObject({
      phase: "CONFIRMING",
      alert: "EXECUTED_WITHOUT_APPROVAL",
    });
  });

  test("that failed makes it FAILED, at finality", async () => {
    const call = aCall({ to: await aRefusal() });
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", onchain: "revert" });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "FAILED", reason: "REVERTED" });
  });

  test("that failed and was sent again before that is executed", async () => {
    const call = aCall({ to: await aRefusal() });
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    await harness.watch();
    await harness.chain.setCode({ address: call.to, bytecode: "0x" });
    const { hash } = await wallet.send(call);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("sent long before it was proposed is not its execution", async () => {
    const call = aCall();
    const place = await harness.watchStore.readCursor(harness.chainId);
    await wallet.send(call);
    await harness.rpc("evm_increaseTime", 600);
    await harness.mine(1);
    const proposal = await harness.aProposal(wallet, call);
    // Anvil's clock is ahead of the database's by now, so the proposal is moved to the chain's time.
    await harness.moveInTime(proposal);
    await harness.watch();
    expect(place.length).toBeGreaterThan(0);
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY", hash: undefined });
  });
});

describe("two identical proposals", () => {
  test("and one transaction: exactly one is executed", async () => {
    const call = aCall();
    const both = [await harness.aProposal(wallet, call), await harness.aProposal(wallet, call)];
    await wallet.send(call);
    await finalise();
    const phases = await Promise.all(both.map(async (one) => (await harness.read(one)).phase));
    expect(phases.toSorted()).toEqual(["EXECUTED", "READY"]);
  });

  test("and two transactions: both are, each by its own", async () => {
    const call = aCall();
    const both = [await harness.aProposal(wallet, call), await harness.aProposal(wallet, call)];
    const sent = [await wallet.send(call), await wallet.send(call)];
    await finalise();
    const read = await Promise.all(both.map((one) => harness.read(one)));
    expect(read.map(({ phase }) => phase)).toEqual(["EXECUTED", "EXECUTED"]);
    expect(read.map(({ hash }) => hash).toSorted()).toEqual(sent.map(({ hash }) => hash).toSorted());
  });
});

describe("without approval", () => {
  test.each([
    ["while PENDING", ["pin", "register"], "PENDING"],
    ["after it was REJECTED", ["pin", "register", "userRejects"], "REJECTED"],
    ["after it was withdrawn", ["pin", "withdraw"], "REJECTED"],
  ] as const)("executed %s: the status stays, with an alert", async (_, events, status) => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call, events);
    const { hash } = await wallet.send(call);
    await finalise();
    const alert = "EXECUTED_WITHOUT_APPROVAL";
    expect(await harness.read(proposal)).toMatchObject({ status, alert, hash });
  });

  test("executed and approved afterwards: it continues to EXECUTED", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call, ["pin", "register"]);
    const { hash } = await wallet.send(call);
    await harness.watch();
    await harness.happen(proposal, "verdictApproved", "userApproves");
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("executed, removed by a reorg and approved afterwards: it waits to be executed", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call, ["pin", "register"]);
    await wallet.send(call);
    await harness.watch();
    await harness.reorganise(2);
    await harness.watch();
    await harness.happen(proposal, "verdictApproved", "userApproves");
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY", hash: undefined });
    const { hash } = await wallet.send(call, 7n);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("a failed attempt before approval changes nothing", async () => {
    const call = aCall({ to: await aRefusal() });
    const proposal = await harness.aProposal(wallet, call, ["pin", "register"]);
    await wallet.send(call);
    await finalise();
    await harness.happen(proposal, "verdictApproved", "userApproves");
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY", alert: null });
  });

  test("expired and then executed: EXECUTED and late, only at finality", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await harness.expire(proposal);
    const { hash } = await wallet.send(call);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "FAILED", reason: "EXPIRED", late: false });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", late: true, hash });
  });

  test("expired, executed and removed by a reorg: it stays expired", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await harness.expire(proposal);
    await wallet.send(call);
    await harness.watch();
    await harness.reorganise(1);
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({
      phase: "FAILED",
      reason: "EXPIRED",
      hash: undefined,
    });
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8])("a reorg of depth %i", (depth) => {
  test("that drops it: it may be executed again; that includes it again: it is executed, not early", async () => {
    const [dropped, kept] = [aCall(), aCall()];
    const [first, second] = [await harness.aProposal(wallet, dropped), await harness.aProposal(wallet, kept)];
    const other = await harness.aWallet();
    const third = await harness.aProposal(other, kept);
    await wallet.send(dropped);
    const { raw, hash } = await other.send(kept);
    await harness.mine(Math.max(0, depth - 2));
    await harness.watch();
    expect(await harness.read(third)).toMatchObject({ phase: "CONFIRMING", hash });
    await harness.reorganise(Math.max(2, depth), [raw]);
    await harness.watch();
    expect(await harness.read(first)).toMatchObject({ phase: "READY", hash: undefined, onchain: null });
    expect(await harness.read(second)).toMatchObject({ phase: "READY" });
    expect(await harness.read(third)).toMatchObject({ phase: "CONFIRMING", hash });
    await finalise();
    const { execution } = await harness.read(third);
    const receipt = await harness.chain.getTransactionReceipt({ hash });
    expect(execution).toMatchObject({ hash, block: receipt.blockNumber, blockHash: receipt.blockHash });
    expect(await harness.read(third)).toMatchObject({ phase: "EXECUTED" });
    expect(await harness.read(first)).toMatchObject({ phase: "READY" });
  });

  test("that shortens the chain: removed transactions are reverted, and found when they are sent again", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    const { raw, hash } = await wallet.send(call);
    await harness.mine(depth - 1);
    await harness.watch();
    await harness.rollBack(depth);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY", hash: undefined });
    await harness.include(raw);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", hash });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("in which the same call was sent with another fee: the other transaction counts", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    await harness.mine(depth - 1);
    await harness.watch();
    await harness.rollBack(depth);
    const { hash } = await wallet.send(call, 9n);
    await harness.mine(depth);
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING", hash });
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });
});

describe("processes", () => {
  /** Two identical proposals and a late one, with two transactions and a reorg in between. */
  async function story(round: () => Promise<void>) {
    const call = aCall();
    const both = [await harness.aProposal(wallet, call), await harness.aProposal(wallet, call)];
    const late = await harness.aProposal(wallet, aCall({ to: call.to, value: 3n }));
    await harness.expire(late);
    const { raw } = await wallet.send(call);
    await round();
    await harness.rollBack(1);
    await round();
    await harness.include(raw);
    await wallet.send({ ...call, value: 3n });
    await round();
    await wallet.send(call);
    await round();
    await harness.mine(finalDepth);
    await round();
    await harness.watch();
    const read = await Promise.all([...both, late].map((one) => harness.read(one)));
    expect(read.map(({ phase }) => phase)).toEqual(["EXECUTED", "EXECUTED", "EXECUTED"]);
    expect(new Set(read.map(({ hash }) => hash)).size).toBe(3);
    expect(read[2]).toMatchObject({ late: true });
  }

  test("that die between any two requests to the node are followed by others with the same result", async () => {
    let asked = 0;
    await story(async () => {
      for (let at = 1; ; at++) {
        const end = harness.node.misbehave((_, count) => (count >= at ? "fail" : undefined));
        const died = await harness
          .aWatcher()()
          .then(
            () => false,
            () => true,
          );
        asked += end();
        if (!died) return;
      }
    });
    expect(asked).toBeGreaterThan(50);
  });

  test("that die after any change of the database are followed by others with the same result", async () => {
    let died = 0;
    await story(async () => {
      for (let at = 1; ; at++) {
        const watcher = harness.aDyingWatcher(at);
        if (
          await watcher().then(
            () => true,
            () => false,
          )
        )
          return;
        died++;
      }
    });
    expect(died).toBeGreaterThan(5);
  });

  test("that watch at the same time come to the same result", async () => {
    const [one, other] = [harness.aWatcher(), harness.aWatcher()];
    await story(async () => {
      for (let turn = 0; turn < 3; turn++) await Promise.all([one(), other()]);
    });
  });
});

describe("a node", () => {
  test("that is down and comes back: nothing is lost or invented", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    const { hash } = await wallet.send(call);
    const end = harness.node.misbehave(() => "fail");
    await expect(harness.aWatcher()()).rejects.toThrow(`chain ${harness.chainId}`);
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
    end();
    await finalise();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("that serves another chain is rejected, also when it replaces a correct one", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    const watcher = harness.aWatcher();
    await harness.watch(watcher);
    const place = await harness.watchStore.readCursor(harness.chainId);
    await wallet.send(call);
    const end = harness.node.misbehave((method) =>
      method === "eth_chainId" ? { answer: "0x1" } : undefined,
    );
    await expect(watcher()).rejects.toThrow("serves chain 1");
    await expect(harness.aWatcher()()).rejects.toThrow("serves chain 1");
    end();
    expect(await harness.watchStore.readCursor(harness.chainId)).toEqual(place);
    expect(await harness.read(proposal)).toMatchObject({ phase: "READY" });
    await harness.watch(watcher);
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
  });

  test("that reports finality after we have read: nothing beyond what was read is finished", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    const before = await harness.rpc("eth_getBlockByNumber", "latest", false);
    const { hash } = await wallet.send(call);
    await wallet.send(call);
    // Known from elsewhere: the keeper reports its block.
    const { blockNumber: block, blockHash } = await harness.chain.getTransactionReceipt({ hash });
    await harness.transition.change({ id: proposal.id }, () => ({
      ...{ events: ["seeSuccess"], facts: { execution: { hash, block, blockHash } } },
    }));
    await harness.mine(finalDepth);
    // After the chain id, the first request is for the newest block.
    harness.node.misbehave((_method, count) => (count === 2 ? { answer: before } : undefined));
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", alert: "EXECUTED_TWICE" });
  });

  test("that has a block but not yet its receipts is asked again", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    const noReceipts = (method: string) =>
      method === "eth_getTransactionReceipt" ? { answer: null } : undefined;
    const end = harness.node.misbehave(noReceipts);
    await expect(harness.aWatcher()()).rejects.toThrow("no receipt");
    end();
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.mine(finalDepth);
    const endAgain = harness.node.misbehave(noReceipts);
    await expect(harness.aWatcher()()).rejects.toThrow("contradicts itself");
    endAgain();
    expect(await harness.read(proposal)).toMatchObject({ phase: "CONFIRMING" });
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED" });
  });
});

describe("a first start", () => {
  test("finds transactions that were sent before watching began", async () => {
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    const { hash } = await wallet.send(call);
    await harness.mine(finalDepth + 5);
    await harness.forgetCursor();
    await harness.watch();
    await harness.watch();
    expect(await harness.read(proposal)).toMatchObject({ phase: "EXECUTED", hash });
  });

  test("of two concurrent processes leaves one cursor", async () => {
    await harness.forgetCursor();
    await Promise.all([harness.aWatcher()(), harness.aWatcher()()]);
    await harness.watch();
    const [last] = (await harness.watchStore.readCursor(harness.chainId)).slice(-1);
    expect(last?.number).toBe(await harness.chain.getBlockNumber());
  });
});

describe("the loop", () => {
  const silent = makeLog({ app: "test", level: "silent" });
  const parts = () => ({
    store: harness.watchStore,
    transition: harness.transition,
    log: silent,
    everyMs: 50,
  });

  test("continues after failures, isolates chains from each other, and stops when told", async () => {
    const good = makeChainReader({ chainId: harness.chainId, rpcUrls: [harness.node.url] });
    const bad = makeChainReader({ chainId: 7, rpcUrls: [harness.anvilUrl] });
    const watching = startWatching({ ...parts(), chains: [bad, good] });
    const call = aCall();
    const proposal = await harness.aProposal(wallet, call);
    await wallet.send(call);
    await waitUntil("it is seen", async () => (await harness.read(proposal)).phase === "CONFIRMING");
    const end = harness.node.misbehave(() => "fail");
    await new Promise((resolve) => setTimeout(resolve, 200));
    end();
    await harness.mine(finalDepth);
    await waitUntil("it is final", async () => (await harness.read(proposal)).phase === "EXECUTED");
    await waitUntil("all is read", () => watching.lag().get(harness.chainId) === 0);
    expect(watching.lag().has(7)).toBe(false);
    await watching.stop();
    const place = await harness.watchStore.readCursor(harness.chainId);
    await harness.mine(1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await harness.watchStore.readCursor(harness.chainId)).toEqual(place);
  });
});

describe("for random events", () => {
  const given = process.env["WATCH_SEED"];
  const seeds = given === undefined ? [0, 1, 2, 3].map((next) => findRunSeed() + next) : [Number(given)];

  test.each(seeds)(
    "the database matches the chain after 60 random steps with WATCH_SEED=%i",
    async (seed) => {
      expect(await playRandomly(harness, seed, 60)).toEqual([]);
    },
  );
});
