// Finds the use of released signatures, on a real chain with the contracts that take them.
import { sql } from "kysely";
import { encodeFunctionData, numberToHex, parseAbi, toEventSelector } from "viem";
import { parseCalls, parseSafeTransaction, type Payload, type SafeTransaction } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  finalDepth,
  setHarness,
  somewhere,
  type Harness,
  type Wallet,
} from "../../../test/transactions/watch/harness.ts";
import { encode, permit2, permit2Abi, setStage, type Stage } from "../../../test/transactions/watch/uses.ts";
import { useOf } from "../lifecycle.ts";
import type { Hex, Transaction } from "../transaction.ts";

let harness: Harness;
let stage: Stage;
let wallet: Wallet;

beforeAll(async () => {
  harness = await setHarness();
  stage = await setStage(harness);
}, 120_000);
beforeEach(async () => {
  harness.node.behave();
  wallet = await harness.aWallet();
  // So that no reorg reaches back before the test.
  await harness.mine(finalDepth + 1);
  await harness.watch();
});
afterAll(() => harness.close());

const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`;
const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const isWatched = async ({ id }: Pick<Transaction, "id">): Promise<boolean> => {
  const { rows } = await sql`select from release_watches where transaction_id = ${id}`.execute(harness.db);
  return rows.length === 1;
};
const eventsOf = async ({ id }: Pick<Transaction, "id">): Promise<readonly string[]> => {
  const { rows } = await sql<{ event: string }>`
    select event from account_events where transaction_id = ${id} order by version`.execute(harness.db);
  return rows.map(({ event }) => event);
};
const countsAs = async ({ requestHash }: Transaction) => {
  const found = await harness.store.find(requestHash);
  return found && useOf(found);
};
const nothing = { phase: "EXECUTED", onchain: "released", use: null };
/** Final: used by exactly this transaction on the chain. */
const usedIn = (hash: Hex) => ({ phase: "EXECUTED", onchain: "used", use: { outcome: "used", hash } });

describe("a payment by signature (EIP-3009)", () => {
  test("is used once its block is final, and then watched no longer", async () => {
    const { data, call } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    await harness.watch();
    expect(await harness.read(released)).toMatchObject(nothing);
    const { hash } = await stage.relay(stage.token, call);
    await harness.watch();
    const { blockNumber, blockHash } = await harness.chain.getTransactionReceipt({ hash });
    expect(await harness.read(released)).toMatchObject({
      ...{ phase: "EXECUTED", status: "EXECUTED", onchain: "useSeen" },
      use: { outcome: "used", hash, block: blockNumber, blockHash },
    });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
    expect((await eventsOf(released)).slice(-2)).toEqual(["seeUse", "confirmUse"]);
    expect(await isWatched(released)).toBe(false);
    expect(await countsAs(released)).toBe("made");
  });

  test("is not used by one with another nonce, or by another wallet's with the same nonce", async () => {
    const { data, message } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const other = await stage.aPayment(wallet, { to: message.to });
    await stage.relay(stage.token, other.call);
    const anothers = await stage.aPayment(await harness.aWallet(), { to: message.to, nonce: message.nonce });
    await stage.relay(stage.token, anothers.call);
    await stage.finalise();
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
    expect(await isWatched(released)).toBe(true);
  });

  test("is not used by the same events of another contract", async () => {
    const { data, message } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const used = toEventSelector("AuthorizationUsed(address,bytes32)");
    await stage.mimic([used, topic(wallet.address), message.nonce]);
    const elsewhere = await stage.place("SigningToken");
    const minted = encode("SigningToken", "mint", wallet.address, 10n ** 9n);
    await stage.relay(elsewhere, minted);
    const copy = await stage.aPayment(wallet, message, elsewhere);
    await stage.relay(elsewhere, copy.call);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(nothing);
  });

  test("is not proven to be used if one with the same nonce pays something else", async () => {
    const { data, message } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const other = await stage.aPayment(wallet, { ...message, value: "1001" });
    const { hash } = await stage.relay(stage.token, other.call);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "used", use: { outcome: "spent", hash } });
    expect(await countsAs(released)).toBe("made");
  });

  test("is unused again if the block of its use is replaced, and used in the next one", async () => {
    const { data, call } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const { raw } = await stage.relay(stage.token, call);
    await harness.watch();
    expect(await harness.read(released)).toMatchObject({ onchain: "useSeen" });
    await harness.rollBack(1);
    await harness.mine(2);
    await harness.watch();
    expect(await harness.read(released)).toMatchObject(nothing);
    const hash = await harness.include(raw);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
    expect((await eventsOf(released)).slice(-4)).toEqual(["seeUse", "loseUse", "seeUse", "confirmUse"]);
  });

  test("moves with its block in a reorg that keeps it", async () => {
    const { data, call } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const { raw, hash } = await stage.relay(stage.token, call);
    await harness.mine(2);
    await harness.watch();
    await harness.reorganise(3, [raw]);
    await harness.watch();
    const { blockHash } = await harness.chain.getTransactionReceipt({ hash });
    expect(await harness.read(released)).toMatchObject({ onchain: "useSeen", use: { hash, blockHash } });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("counts no longer once a final block shows its cancellation", async () => {
    const { data, message } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const { call } = await stage.aCancellation(wallet, message.nonce);
    const { hash } = await stage.relay(stage.token, call);
    await harness.watch();
    expect(await harness.read(released)).toMatchObject({
      ...{ onchain: "released", use: { outcome: "unusable", hash } },
    });
    expect(await countsAs(released)).toBe("made");
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ status: "EXECUTED", onchain: "unused" });
    expect(await countsAs(released)).toBe("released");
  });

  test("counts no longer once its time is over in a final block and its nonce was never used", async () => {
    const { data, message } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const left = Number(message.validBefore) - (await stage.nowOnChain());
    await stage.wait(left - 100);
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
    await stage.wait(101);
    await stage.look();
    expect(await harness.read(released)).toMatchObject({ onchain: "released", use: { outcome: "expired" } });
    expect(await countsAs(released)).toBe("made");
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({
      onchain: "unused",
      use: { outcome: "expired", hash: null },
    });
    expect((await eventsOf(released)).at(-1)).toBe("endUnused");
    expect(await countsAs(released)).toBe("released");
  });

  test("that expired in a block that is replaced by an earlier one can still be used", async () => {
    const { data, message, call } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const before = await stage.nowOnChain();
    await stage.wait(Number(message.validBefore) - before + 10);
    await stage.look();
    expect(await harness.read(released)).toMatchObject({ use: { outcome: "expired" } });
    await harness.rollBack(1);
    await harness.rpc("evm_setTime", before + 5);
    const { hash } = await stage.relay(stage.token, call);
    await harness.mine(1);
    await harness.watch();
    expect(await harness.read(released)).toMatchObject({
      onchain: "useSeen",
      use: { outcome: "used", hash },
    });
  });

  test("that was used before its release is not called unused", async () => {
    const { data, call, message } = await stage.aPayment(wallet);
    await stage.relay(stage.token, call);
    await harness.watch();
    const released = await stage.release(wallet, data);
    await stage.wait(Number(message.validBefore) - (await stage.nowOnChain()) + 1);
    await stage.look();
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({
      onchain: "used",
      use: { outcome: "spent", hash: null },
    });
  });

  test("is found by a process that was down while it was used", async () => {
    const { data, call } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    await harness.watch();
    const { hash } = await stage.relay(stage.token, call);
    await harness.mine(30);
    await harness.watch(harness.aWatcher());
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("stays as it is while the node does not answer", async () => {
    const { data, call } = await stage.aPayment(wallet);
    const released = await stage.release(wallet, data);
    const { hash } = await stage.relay(stage.token, call);
    const end = harness.node.misbehave((method) => (method === "eth_getLogs" ? "fail" : undefined));
    await expect(harness.watch()).rejects.toThrow();
    end();
    expect(await harness.read(released)).toMatchObject(nothing);
    await harness.watch();
    expect(await harness.read(released)).toMatchObject({ onchain: "useSeen", use: { hash } });
  });
});

describe("a Safe's transaction", () => {
  const abi = parseAbi([
    "function nonce() view returns (uint256)",
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
  ]);
  const nextNonce = () => harness.chain.readContract({ address: stage.safe, abi, functionName: "nonce" });
  async function aSafeTransaction(over: object = {}): Promise<SafeTransaction> {
    const nonce = (await nextNonce()).toString();
    const payment = { chainId: harness.chainId, safe: stage.safe, to: somewhere(), value: "1000", nonce };
    return parseSafeTransaction({ ...payment, ...over });
  }
  const asPayload = (safeTransaction: SafeTransaction): Payload => ({
    shape: "safeTransaction",
    safeTransaction,
  });
  async function execute(transaction: SafeTransaction) {
    const hash = stage.hashOf(asPayload(transaction));
    const signatures = await stage.owner.account.sign({ hash });
    const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } =
      transaction;
    const call = encodeFunctionData({
      ...{ abi, functionName: "execTransaction" },
      args: [
        ...([to, BigInt(value), data, operation, BigInt(safeTxGas), BigInt(baseGas)] as const),
        ...([BigInt(gasPrice), gasToken, refundReceiver, signatures] as const),
      ],
    });
    return stage.relay(stage.safe, call);
  }

  test("is used when the Safe executes exactly its hash", async () => {
    const transaction = await aSafeTransaction();
    const released = await harness.aRelease(stage.owner, asPayload(transaction));
    const { hash } = await execute(transaction);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("has failed if the Safe executes it and its call reverts", async () => {
    const to = somewhere();
    await harness.chain.setCode({ address: to, bytecode: "0x60006000fd" });
    const transaction = await aSafeTransaction({ to, value: "0", safeTxGas: "50000" });
    const released = await harness.aRelease(stage.owner, asPayload(transaction));
    const { hash } = await execute(transaction);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "used", use: { outcome: "failed", hash } });
  });

  test("is unusable once the Safe executes another with its nonce", async () => {
    const transaction = await aSafeTransaction();
    const released = await harness.aRelease(stage.owner, asPayload(transaction));
    await stage.look();
    await execute(await aSafeTransaction());
    await harness.watch();
    await harness.watch();
    expect(await harness.read(released)).toMatchObject({ onchain: "released", use: { outcome: "unusable" } });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "unused" });
  });

  test("is not called unused if another version of the watch has read the block", async () => {
    const transaction = await aSafeTransaction();
    const released = await harness.aRelease(stage.owner, asPayload(transaction));
    await stage.look();
    await execute(transaction);
    // A version that does not look for uses moves the cursor over the block, and leaves the other column as it was.
    const { number, hash } = await harness.chain.getBlock();
    const recent = JSON.stringify([{ number: number.toString(), hash }]);
    await sql`update chain_cursors set block_number = ${number.toString()}, recent = ${recent}`.execute(
      harness.db,
    );
    await stage.look();
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "used", use: { outcome: "spent" } });
  });

  test("that was executed before the release is not called unused", async () => {
    const transaction = await aSafeTransaction();
    await execute(transaction);
    await harness.watch();
    const released = await harness.aRelease(stage.owner, asPayload(transaction));
    await stage.look();
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "used", use: { outcome: "spent" } });
  });

  test("is not used by the same event of another contract, or by a later nonce that waits", async () => {
    const nonce = ((await nextNonce()) + 1n).toString();
    const transaction = await aSafeTransaction({ nonce });
    const released = await harness.aRelease(stage.owner, asPayload(transaction));
    const hash = stage.hashOf(asPayload(transaction));
    await stage.mimic([toEventSelector("ExecutionSuccess(bytes32,uint256)"), hash, word(0n)]);
    await execute(await aSafeTransaction());
    await stage.finalise();
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
  });
});

describe("a permit (EIP-2612)", () => {
  test("is used when its allowance appears in the block in which its nonce is used", async () => {
    const { data, call } = await stage.aPermit(wallet);
    const released = await stage.release(wallet, data);
    const { hash } = await stage.relay(stage.token, call);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("of DAI's form is used alike", async () => {
    const { data, call } = await stage.aDaiPermit(wallet);
    const released = await stage.release(wallet, data);
    const { hash } = await stage.relay(stage.token, call);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("is not used by the owner's own approval of the same amount", async () => {
    const { data, message } = await stage.aPermit(wallet);
    const released = await stage.release(wallet, data);
    const own = encode("SigningToken", "approve", message.spender, message.value);
    await wallet.send({ to: stage.token, value: 0n, data: own });
    await stage.finalise();
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
  });

  test("is not proven to be used if another permit with its nonce is", async () => {
    const { data, message } = await stage.aPermit(wallet);
    const released = await stage.release(wallet, data);
    const other = await stage.aPermit(wallet, { spender: message.spender, value: "999" });
    await stage.relay(stage.token, other.call);
    await harness.watch();
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({
      onchain: "used",
      use: { outcome: "spent", hash: null },
    });
  });

  test("of a later nonce is not used by the permit before it", async () => {
    const { data } = await stage.aPermit(wallet, { nonce: "1" });
    const released = await stage.release(wallet, data);
    await stage.relay(stage.token, (await stage.aPermit(wallet)).call);
    await stage.finalise();
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
  });

  test("counts no longer once it has expired with its nonce unused", async () => {
    const { data, message } = await stage.aPermit(wallet);
    const released = await stage.release(wallet, data);
    // In its last second it can still be used.
    await stage.wait(Number(message.deadline) - (await stage.nowOnChain()) + 1);
    await stage.look();
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "unused", use: { outcome: "expired" } });
  });
});

describe("Permit2", () => {
  test("an allowance is used by the event with all that was signed", async () => {
    const { data, call } = await stage.anAllowance(wallet);
    const released = await stage.release(wallet, data);
    const { hash } = await stage.relay(permit2, call);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("an allowance is unusable once its nonce is invalidated", async () => {
    const { data, message } = await stage.anAllowance(wallet);
    const released = await stage.release(wallet, data);
    const args = [stage.token, message.spender, 1] as const;
    const call = encodeFunctionData({ abi: permit2Abi, functionName: "invalidateNonces", args });
    const { hash } = await wallet.send({ to: permit2, value: 0n, data: call });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({
      onchain: "unused",
      use: { outcome: "unusable", hash },
    });
  });

  test("of a transfer only the use of its nonce is known", async () => {
    const { data, call } = await stage.aTransfer(wallet);
    const released = await stage.release(wallet, data);
    await stage.relay(stage.token, encode("SigningToken", "mint", wallet.address, 10n ** 9n));
    const everything = encode("SigningToken", "approve", permit2, 10n ** 18n);
    await wallet.send({ to: stage.token, value: 0n, data: everything });
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
    await stage.relay(permit2, call);
    await stage.look();
    expect(await harness.read(released)).toMatchObject({
      onchain: "useSeen",
      use: { outcome: "spent", hash: null },
    });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "used" });
  });
});

describe("a batch of calls", () => {
  const calls = () => [
    { to: somewhere(), value: "1000", data: "0x" as Hex },
    { to: somewhere(), value: "2000", data: "0x12" as Hex },
  ];
  const asPayload = ({ address: from }: Wallet, list: ReturnType<typeof calls>): Payload => ({
    shape: "calls",
    calls: parseCalls({ chainId: harness.chainId, from, atomicRequired: true, calls: list }),
  });
  const batched = (list: ReturnType<typeof calls>): Hex => encode("BatchAccount", "executeBatch", list);
  async function delegate({ address }: Wallet): Promise<void> {
    const code = await stage.place("BatchAccount");
    await harness.chain.setCode({ address, bytecode: `0xef0100${code.slice(2)}` });
  }

  test("is used in one transaction in which the account makes exactly these calls", async () => {
    await delegate(wallet);
    const list = calls();
    const released = await harness.aRelease(wallet, asPayload(wallet, list));
    const { hash } = await wallet.send({ to: wallet.address, value: 0n, data: batched(list) });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("is not used by other calls, another order, or another account", async () => {
    await delegate(wallet);
    const other = await harness.aWallet();
    await delegate(other);
    const list = calls();
    const released = await harness.aRelease(wallet, asPayload(wallet, list));
    await wallet.send({ to: wallet.address, value: 0n, data: batched(list.toReversed()) });
    await wallet.send({ to: wallet.address, value: 0n, data: batched([...list, ...list]) });
    await other.send({ to: other.address, value: 0n, data: batched(list) });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(nothing);
  });

  test("is not used by an account without code that calls itself", async () => {
    const list = calls();
    const released = await harness.aRelease(wallet, asPayload(wallet, list));
    await wallet.send({ to: wallet.address, value: 0n, data: batched(list) });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(nothing);
  });

  test("of one call is used by the account's own transaction", async () => {
    const [call] = calls();
    if (call === undefined) throw new Error("no call");
    const released = await harness.aRelease(wallet, asPayload(wallet, [call]));
    const { hash } = await wallet.send({ ...call, value: BigInt(call.value) });
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });
});

describe("an authorization (EIP-7702)", () => {
  const asPayload = (address: Hex, nonce: number): Payload => ({
    shape: "authorizationList",
    authorizationList: [{ chainId: harness.chainId, address, nonce: String(nonce) }],
  });
  async function include(signer: Wallet, delegate: Hex, nonce: number): Promise<Hex> {
    const { chainId } = harness;
    const signed = await signer.account.signAuthorization({ address: delegate, chainId, nonce });
    const { account, address } = stage.relayer;
    const raw = await account.signTransaction({
      ...{ to: somewhere(), value: 0n, chainId, type: "eip7702", gas: 1_000_000n },
      ...{ maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n, authorizationList: [signed] },
      nonce: await harness.chain.getTransactionCount({ address }),
    });
    return harness.include(raw);
  }

  test("is used when a transaction contains it and the account runs the delegate's code", async () => {
    const delegate = await stage.place("BatchAccount");
    const released = await harness.aRelease(wallet, asPayload(delegate, 0));
    const hash = await include(wallet, delegate, 0);
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject(usedIn(hash));
  });

  test("is not used by another account's with the same members", async () => {
    const delegate = await stage.place("BatchAccount");
    const released = await harness.aRelease(wallet, asPayload(delegate, 0));
    await include(await harness.aWallet(), delegate, 0);
    await stage.finalise();
    await stage.look();
    expect(await harness.read(released)).toMatchObject(nothing);
  });

  test("is unusable once the account has used its nonce for something else", async () => {
    const delegate = await stage.place("BatchAccount");
    const released = await harness.aRelease(wallet, asPayload(delegate, 0));
    await stage.look();
    await wallet.send({ to: somewhere(), value: 1n, data: "0x" });
    await stage.look();
    await stage.finalise();
    expect(await harness.read(released)).toMatchObject({ onchain: "unused", use: { outcome: "unusable" } });
  });
});

test("a signed text is released, and nothing is watched", async () => {
  const released = await harness.aRelease(wallet, { shape: "message", message: "I agree" });
  expect(released.useKind).toBeNull();
  expect(await isWatched(released)).toBe(false);
});
