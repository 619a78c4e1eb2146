// A co-signer that is asked before anything is signed: the stand-in must ask it right, and believe only what it signed.
import { randomUUID, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, http, parseTransaction, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeCustodian } from "../../../apps/api/src/adapters/custodian/index.ts";
import { makeSupervisor, startAnvil, type Anvil } from "../../engines/index.ts";
import { freePorts, makeTempDir, waitUntil } from "../../testing/index.ts";
import { startCustodianStandIn, type CustodianStandIn } from "./stand-in.ts";
import { anRsaKey, aUser } from "./testing.ts";
import { readToken, signToken, type Claims } from "./tokens.ts";

const chainId = 11_155_111;
const dir = makeTempDir("cosigner");
const supervisor = makeSupervisor({ logDir: dir });
const [theirs, ours] = [anRsaKey(), anRsaKey()];

type Question = Claims & { readonly rawTx: readonly { readonly rawTx: string }[] };
type Answer = { readonly claims: Claims; readonly key?: KeyObject; readonly status?: number } | "silence";

let anvil: Anvil;
let standIn: CustodianStandIn;
let server: Server;
let answer: (question: Question) => Answer;
let questions: Question[] = [];
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir, port });
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const claims = readToken(Buffer.concat(parts).toString(), theirs.publicKey);
      if (claims === undefined || request.url !== "/v2/tx_sign_request") {
        response.writeHead(401).end();
        return;
      }
      questions.push(claims as Question);
      const said = answer(claims as Question);
      if (said === "silence") return;
      response.writeHead(said.status ?? 200).end(signToken(said.claims, said.key ?? ours.privateKey));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { privateKey: theirs.privateKey, ourPublicKey: () => ours.publicKey };
  const cosigner = { url, ...keys, timeoutMs: 500, retryMs: 20 };
  standIn = await startCustodianStandIn({ rpcUrl: anvil.url, chainId, cosigner });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await standIn.close();
  await supervisor.stop();
});
beforeEach(() => {
  questions = [];
  standIn.behave("good");
});

const approve = ({ requestId }: Claims): Answer => ({ claims: { action: "APPROVE", requestId } });

/** Orders, and waits until the order is final or reaches the given status. */
async function order(data: Hex = "0xa9059cbb", until?: string) {
  const user = await aUser(standIn);
  const assets = { [chainId]: "ETH_TEST5" };
  const sender = makeCustodian({ url: standIn.url, assets, timeoutMs: 2_000, clock: systemClock }).openSender(
    {
      ...user,
      environment: "sandbox",
      region: "US",
    },
  );
  const requestHash = `0x${randomUUID().replaceAll("-", "").repeat(2)}` as const;
  const to = `0x${"cd".repeat(20)}` as const;
  const { theirId } = await sender.send({ requestHash, chainId, to, value: 5n, data });
  const status = await waitUntil("the order is over", () => {
    const found = standIn.accepted().find(({ id }) => id === theirId)?.status ?? "";
    return ["COMPLETED", "REJECTED", "FAILED", "CANCELLED", until].includes(found) && found;
  });
  const chain = createPublicClient({ transport: http(anvil.url) });
  const count = () => chain.getTransactionCount({ address: user.address });
  return { ...user, sender, theirId, requestHash, to, status, count };
}

describe("the co-signer", () => {
  test("is shown the order and the very bytes that are signed", async () => {
    answer = approve;
    const done = await order();
    expect(done.status).toBe("COMPLETED");
    const [question] = questions;
    expect(question).toMatchObject({
      txId: done.theirId,
      externalTxId: done.requestHash,
      operation: "CONTRACT_CALL",
      sourceType: "VAULT",
      sourceId: done.vaultAccountId,
      destType: "ONE_TIME_ADDRESS",
      destAddress: done.to,
      asset: "ETH_TEST5",
      amountStr: "0.000000000000000005",
      requestedAmountStr: "0.000000000000000005",
      note: `Countersign ${done.requestHash}`,
      signerId: done.apiKey,
      extraParameters: { contractCallData: "0xa9059cbb" },
    });
    const raw = parseTransaction(`0x${question?.rawTx[0]?.rawTx ?? ""}`);
    expect(raw).toMatchObject({ type: "eip1559", chainId, to: done.to, value: 5n, data: "0xa9059cbb" });
    expect(await done.count()).toBe(1);
  });
  test("that says no keeps it from being signed", async () => {
    answer = ({ requestId }) => ({ claims: { action: "REJECT", requestId } });
    const { status, count } = await order();
    expect([status, await count()]).toEqual(["REJECTED", 0]);
  });
  test("that says later is asked again", async () => {
    answer = (question) =>
      questions.length < 3
        ? { claims: { action: "RETRY", requestId: question["requestId"] } }
        : approve(question);
    expect((await order()).status).toBe("COMPLETED");
    expect(questions).toHaveLength(3);
    expect(new Set(questions.map(({ txId }) => txId)).size).toBe(1);
  });
  test("that says later for ever can be cut short by letting go of the order", async () => {
    answer = ({ requestId }) => ({ claims: { action: "RETRY", requestId } });
    const { sender, theirId, requestHash, count } = await order("0x", "PENDING_SIGNATURE");
    await sender.cancel(theirId);
    expect(await sender.find(requestHash)).toMatchObject({ state: "failed" });
    // Another order of another vault goes its way.
    answer = approve;
    expect((await order()).status).toBe("COMPLETED");
    expect(await count()).toBe(0);
  });
  test.each([
    ["with another key", (q) => ({ ...(approve(q) as object), key: theirs.privateKey }) as Answer],
    ["about another request", () => approve({ requestId: randomUUID() })],
    ["with an unknown action", ({ requestId }) => ({ claims: { action: "IGNORE", requestId } })],
    ["with an error", (q) => ({ ...(approve(q) as object), status: 500 }) as Answer],
    ["with silence", () => "silence"],
  ] satisfies [string, (question: Question) => Answer][])(
    "that answers %s is not believed, and nothing is signed",
    async (_how, how) => {
      answer = how;
      const { status, count } = await order();
      expect([status, await count()]).toEqual(["FAILED", 0]);
    },
  );
  test.each(["0x", "0xa9059cbb"] as const)("can see what was tampered with: %s", async (data) => {
    standIn.behave("tamper", 1);
    answer = (question) => {
      const raw = parseTransaction(`0x${question.rawTx[0]?.rawTx ?? ""}`);
      const isAsOrdered = raw.to === question["destAddress"] && (raw.data ?? "0x") === data;
      return { claims: { action: isAsOrdered ? "APPROVE" : "REJECT", requestId: question["requestId"] } };
    };
    const { status, count } = await order(data);
    expect([status, await count()]).toEqual(["REJECTED", 0]);
  });
  test("that is not asked cannot", async () => {
    standIn.setCosigner(undefined);
    standIn.behave("tamper", 1);
    expect((await order()).status).toBe("COMPLETED");
  });
});
