// A custodian that asks before it signs, a real chain, and the endpoint: only approved transactions reach the chain.
import { createPublicKey, randomBytes } from "node:crypto";
import { createTestClient, http, publicActions, walletActions, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../../../tools/stand-ins/custodian/stand-in.ts";
import { makeChainSimulator } from "../../../adapters/chain/index.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../../../test/api-keys.ts";
import { makeCustody } from "../../../composition/custody.ts";
import { connectDatabase, type Database } from "../../../platform/db/connect.ts";
import { bearer, signIn, type SignedIn } from "../../../../test/sign-in.ts";
import { makeTransition } from "../../transition.ts";
import { takeSnapshot } from "../preflight/index.ts";
import { makeTransactionStore, type TransactionStore } from "../../store/index.ts";
import { aProposal, manyProposals, watchedChains } from "../../../../test/transactions.ts";
import { addVerdict } from "../../../../test/transactions/add-verdict.ts";
import type { Transaction } from "../../transaction.ts";
import { makeCallbackKey } from "./callback-key.ts";
import { aCosignedWallet, type Cosigned } from "../../../../test/transactions/execute/cosign.ts";

const chainId = 11_155_111;
const dir = makeTempDir("cosigning");
const supervisor = makeSupervisor({ logDir: dir });
const log = makeLog({ app: "test", level: "silent" });
let said = "";
const heard = makeLog({ app: "api", level: "info", to: { write: (line) => void (said += line) } });
const retries = (key: string): number =>
  said.split("\n").filter((line) => line.includes('"RETRY"') && line.includes(key)).length;

const connect = (url: string) =>
  createTestClient({ mode: "anvil", transport: http(url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

let anvil: Anvil;
let chain: ReturnType<typeof connect>;
let custodian: CustodianStandIn;
let api: TestApiWithKeys;
let database: Database;
let store: TransactionStore;
let transition: ReturnType<typeof makeTransition>;
let custody: ReturnType<typeof makeCustody>["offered"];
let ourKey: ReturnType<typeof createPublicKey>;
let owner: SignedIn;
let cosigned: Cosigned;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port });
  chain = connect(anvil.url);
  await chain.setIntervalMining({ interval: 0 });
  await chain.setAutomine(true);
  custodian = await startCustodianStandIn({ rpcUrl: anvil.url, chainId });
  const settings = { CUSTODIAN_URL: custodian.url, RPC_URLS: `${chainId}=${anvil.url}` };
  api = await aTestApiWithKeys({ ...manyProposals, ...settings }, heard);
  database = connectDatabase({ url: api.databaseUrl, poolSize: 4, log });
  const { db } = database;
  store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true });
  transition = makeTransition({
    store,
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => undefined,
  });
  custody = makeCustody({ config: api.config, db, clock: systemClock, log, secrets: api.secrets }).offered;
  ourKey = createPublicKey((await makeCallbackKey(api.secrets)()).publicPem);
});
beforeEach(async () => {
  custodian.behave("good");
  custodian.setCosigner(undefined);
  owner = await signIn(api);
  cosigned = await aCosignedWallet(api, owner, { custodian });
  custodian.setCosigner({
    url: `${api.origin}/custody/cosigner/${cosigned.integrationId}`,
    privateKey: cosigned.keys.privateKey,
    ourPublicKey: () => ourKey,
    retryMs: 50,
  });
});
afterAll(async () => {
  await database.close();
  await api.close();
  await custodian.close();
  await supervisor.stop();
});

const somewhere = (): Hex => `0x${randomBytes(20).toString("hex")}`;

/** Proposed, simulated, approved, and ours to send. */
async function approvedCall(call: { readonly to: Hex; readonly data?: Hex }): Promise<Transaction> {
  const tx = { value: "5", data: "0x", ...call };
  const payload = aProposal(cosigned.wallet, { tx });
  const made = await api.http.send({
    ...{ method: "POST", url: "/transactions", payload, headers: bearer(owner) },
  });
  const { requestHash } = made.json<{ requestHash: Hex }>();
  const found = await store.find(requestHash);
  if (found?.tx === null || found === undefined) throw new Error(made.body);
  const simulator = makeChainSimulator({ chainId, rpcUrls: [anvil.url] });
  await store.keepSnapshot(found, await takeSnapshot(simulator, { from: found.escrow, ...found.tx }));
  const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;
  const changed = await transition.change({ requestHash }, () => ({
    events: [...approved, "handOver", "startExecution", "broadcast"],
  }));
  if (changed?.after.phase !== "BROADCAST") throw new Error(`not begun: ${changed?.after.phase}`);
  await addVerdict(api, store, requestHash);
  return changed.after;
}

/** Places the order as the execution harness does, until the custodian is done or reaches the given status. */
async function order({ requestHash, tx }: Transaction, until?: string): Promise<string> {
  const sender = await custody.openSender(cosigned.integrationId, "send");
  if (sender === undefined || tx === null) throw new Error("it has no sender");
  const { theirId } = await sender.send({ requestHash, chainId, ...tx });
  return outcomeOf(theirId, until);
}
const outcomeOf = (theirId: string, until?: string): Promise<string> =>
  waitUntil("the order is over", () => {
    const found = custodian.accepted().find(({ id }) => id === theirId)?.status ?? "";
    return ["COMPLETED", "REJECTED", "FAILED", "CANCELLED", until].includes(found) && found;
  });
const sentFrom = () => chain.getTransactionCount({ address: cosigned.wallet });

describe("a custodian that asks before it signs", () => {
  test.each(["0x", "0xa9059cbb"] as const)("sends what was approved: %s", async (data) => {
    const transaction = await approvedCall({ to: somewhere(), data });
    expect(await order(transaction)).toBe("COMPLETED");
    expect(await sentFrom()).toBe(1);
    expect(await chain.getBalance({ address: transaction.tx?.to ?? "0x" })).toBe(5n);
  });
  test.each([
    ["a byte of the recipient", "0x", "tamper"],
    ["a byte of the call", "0xa9059cbb", "tamper"],
    ["a wei of the amount", "0x", "other-amount-sent"],
  ] as const)("sends nothing when %s differs", async (_what, data, how) => {
    const transaction = await approvedCall({ to: somewhere(), data });
    custodian.behave(how, 1);
    expect(await order(transaction)).toBe("REJECTED");
    expect(await sentFrom()).toBe(0);
  });
  test("would have sent it without asking, which is the custodian's setting and not ours", async () => {
    custodian.setCosigner(undefined);
    const transaction = await approvedCall({ to: somewhere() });
    custodian.behave("tamper", 1);
    expect(await order(transaction)).toBe("COMPLETED");
    expect(await sentFrom()).toBe(1);
  });
  test("does not send a transaction whose effect has changed", async () => {
    const to = somewhere();
    const transaction = await approvedCall({ to });
    await chain.setCode({ address: to, bytecode: "0x00" });
    expect(await order(transaction)).toBe("REJECTED");
    expect(await sentFrom()).toBe(0);
  });
  test("sends it once, although it accepts the order twice", async () => {
    const transaction = await approvedCall({ to: somewhere() });
    expect(await order(transaction)).toBe("COMPLETED");
    custodian.forgetIdempotencyKeys();
    custodian.behave("answer-twice-and-send", 1);
    expect(await order(transaction)).toBe("REJECTED");
    expect(await sentFrom()).toBe(1);
  });
  test("waits while another transaction of the wallet is in progress, and then sends", async () => {
    const transaction = await approvedCall({ to: somewhere() });
    await chain.setAutomine(false);
    const account = cosigned.wallet;
    await chain.impersonateAccount({ address: account });
    await chain.sendTransaction({ account, chain: null, to: somewhere(), value: 1n });
    await chain.stopImpersonatingAccount({ address: account });
    expect(await order(transaction, "PENDING_SIGNATURE")).toBe("PENDING_SIGNATURE");
    await waitUntil("it was told to ask again", () => retries(transaction.requestHash) > 1);
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    const theirId = custodian
      .accepted()
      .find(({ externalTxId }) => externalTxId === transaction.requestHash)?.id;
    expect(await outcomeOf(theirId ?? "")).toBe("COMPLETED");
    expect(await sentFrom()).toBe(2);
  });
  test("sends nothing when the answer is signed with another key than the printed one", async () => {
    const transaction = await approvedCall({ to: somewhere() });
    const { publicKey: another, privateKey } = cosigned.keys;
    const url = `${api.origin}/custody/cosigner/${cosigned.integrationId}`;
    custodian.setCosigner({ url, privateKey, ourPublicKey: () => another });
    expect(await order(transaction)).toBe("FAILED");
    expect(await sentFrom()).toBe(0);
  });
  test("sends nothing while our service is down", async () => {
    const transaction = await approvedCall({ to: somewhere() });
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    custodian.setCosigner({ url, privateKey: cosigned.keys.privateKey, ourPublicKey: () => ourKey });
    expect(await order(transaction)).toBe("FAILED");
    expect(await sentFrom()).toBe(0);
  });
});
