import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTrace, readTraceparent } from "@countersign/platform/trace";
import { hashReport, readAttestation, recoverAttestationSigner } from "@countersign/wire";
import { cidOf, digestOf, writeEnvelope } from "@countersign/wire/envelope";
import { aWallet } from "../../../test/sign-in.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aReport,
  aServerKey,
  aService,
  aTransaction,
  domain,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let owner: Person;
let other: Person;
let admin: { id: string; headers: Record<string, string> };
let orion: { id: string; headers: Record<string, string> };

beforeAll(async () => {
  api = await aDecideApi();
  [owner, other] = [await aPerson(api), await aPerson(api)];
  [admin, orion] = [await aServerKey(api, "admin"), await aServerKey(api, "orion")];
});
afterAll(() => api.close());

type Headers = Record<string, string>;
/** Half of this many seconds, in milliseconds: anything faster has not waited. */
const halfOf = (seconds: number): number => seconds * 500;
const unknownHash = `0x${"00".repeat(32)}`;
const get = (url: string, headers: Headers = owner.jwt, at: Pick<DecideApi, "send"> = api) =>
  at.send({ url, headers });
/** Every kind of reader: the owner twice, an API key of theirs, and a server key. */
const readers = async (url: string): Promise<readonly Headers[]> => [
  owner.jwt,
  await owner.sign("GET", url),
  owner.agent.headers,
  admin.headers,
  orion.headers,
];
const strangers = async (url: string): Promise<readonly Headers[]> => [
  other.jwt,
  await other.sign("GET", url),
  other.agent.headers,
];
const withoutScope = async (): Promise<Headers> => {
  const { id, headers } = await owner.key();
  await api.client.query("update api_keys set scopes = '{transactions:create:own}' where id = $1", [id]);
  return headers;
};
async function exceed(url: string): Promise<readonly number[]> {
  const narrow = await aDecideApi(2);
  const codes = [];
  for (let count = 0; count < 3; count++) codes.push((await get(url, {}, narrow)).statusCode);
  await narrow.close();
  return codes;
}

/** There is a node for the chain of these transactions. */
const watched = { needsOwner: null, mandateId: null, policyDecision: null, chainWatched: true, notice: null };

describe("GET /transactions/{requestHash}/approval-status", () => {
  const urlOf = ({ requestHash }: Pick<Transaction, "requestHash">, query = "") =>
    `/transactions/${requestHash}/approval-status${query}`;

  test("200: empty at first, with Retry-After of two seconds, for every caller who may read it", async () => {
    const made = await aTransaction(api, owner);
    for (const headers of await readers(urlOf(made))) {
      const answer = await get(urlOf(made), headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ user: [], orion: [], ...watched });
      expect(answer.headers).toMatchObject({ "retry-after": "2", etag: '"records-1"' });
    }
  });

  test("200: the trace in which it was proposed, for the verification service only", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const made = await inTrace("propose", { parent: readTraceparent(traceparent) }, () =>
      aTransaction(api, owner),
    );
    for (const headers of await readers(urlOf(made)))
      expect((await get(urlOf(made), headers)).headers["traceparent"]).toBe(
        headers === orion.headers ? traceparent : undefined,
      );
    const untraced = await aTransaction(api, owner);
    expect((await get(urlOf(untraced), orion.headers)).headers["traceparent"]).toBeUndefined();
  });

  test("200: decisions, at once in the process that recorded them", async () => {
    const made = await aTransaction(api, owner, { after: registered });
    await get(urlOf(made));
    const user = (await post(api, made, owner.jwt)).json<object>();
    expect((await get(urlOf(made))).json()).toEqual({ user: [user], orion: [], ...watched });
    await post(api, made, owner.agent.headers);
    const verdict = await post(api, made, orion.headers, { decision: "APPROVED", confidence: 0.8 });
    const answer = await get(urlOf(made));
    expect(answer.json()).toEqual({ user: [user], orion: [verdict.json<object>()], ...watched });
    expect(answer.headers["retry-after"]).toBeUndefined();
  });

  test("200: in booleans, on request, with a separate ETag", async () => {
    const made = await aTransaction(api, owner, { after: registered });
    const flags = async () => (await get(urlOf(made, "?view=flags"))).json<object>();
    expect(await flags()).toEqual({ user: false, agent: false, arbiter: false, orion: false });
    await post(api, made, owner.agent.headers);
    await post(api, made, (await owner.key("arbiter")).headers);
    await post(api, made, owner.jwt);
    await post(api, made, orion.headers);
    expect(await flags()).toEqual({ user: true, agent: true, arbiter: true, orion: true });
    await post(api, made, owner.jwt, { decision: "REJECTED" });
    const answer = await get(urlOf(made, "?view=flags"));
    // "Any user approved": a later rejection does not clear the flag.
    expect(answer.json()).toEqual({ user: true, agent: true, arbiter: true, orion: true });
    expect(answer.headers.etag).toBe(`"flags-${(await api.store.find(made.requestHash))?.version}"`);
  });

  test.each([
    ["admin", "agent", { agent: true, arbiter: false, orion: false }],
    ["admin", "arbiter", { agent: false, arbiter: true, orion: false }],
    ["orion", "arbiter", { agent: false, arbiter: true, orion: true }],
  ] as const)(
    "200: in booleans, with the approval of an %s key labelled %s",
    async (type, label, expected) => {
      const made = await aTransaction(api, owner, { after: registered });
      await post(api, made, (await aServerKey(api, type, label)).headers);
      expect((await get(urlOf(made, "?view=flags"))).json()).toEqual({ user: false, ...expected });
    },
  );

  test("200: in booleans, none of them true for rejections", async () => {
    const made = await aTransaction(api, owner, { after: registered });
    await post(api, made, (await owner.key("arbiter")).headers, { decision: "REJECTED" });
    const answer = await get(urlOf(made, "?view=flags"));
    expect(answer.json()).toEqual({ user: false, agent: false, arbiter: false, orion: false });
  });

  test("200: while the owner is asked, with growing Retry-After", async () => {
    const made = await aTransaction(api, owner, { after: [...registered, "verdictApproved"] });
    const ask = async (age: string): Promise<string | undefined> => {
      await api.client.query("update transactions set verdict_at = now() - $2::interval where id = $1", [
        made.id,
        age,
      ]);
      api.status.drop(made.requestHash);
      return (await get(urlOf(made))).headers["retry-after"];
    };
    expect(await ask("1 second")).toBe("5");
    expect(await ask("100 seconds")).toBe("10");
    expect(await ask("1 day")).toBe("30");
  });

  test("200: concurrent requests are answered by their own permissions, not by the first one's", async () => {
    const made = await aTransaction(api, owner);
    const answers = await Promise.all(
      [owner, other, owner, other, owner].map(({ jwt }) => get(urlOf(made), jwt)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 200, 404, 200]);
  });

  test("200: another process's change is visible after at most a second, and stays visible", async () => {
    const made = await aTransaction(api, owner);
    const there = await api.another();
    await get(urlOf(made));
    await post(there, made, owner.jwt);
    const fresh = await get(urlOf(made), owner.jwt, there);
    // A caller who saw it there does not get the older cached answer here.
    const etag = String(fresh.headers.etag);
    expect((await get(urlOf(made), { ...owner.jwt, "if-none-match": etag })).statusCode).toBe(304);
    await sleep(1_050);
    expect((await get(urlOf(made))).json<{ user: [] }>().user).toHaveLength(1);
    await there.close();
  });

  test("200: with Prefer: wait, answers when the verdict comes, in whichever process", async () => {
    const there = await api.another();
    for (const at of [api, there]) {
      const made = await aTransaction(api, owner, { after: registered });
      const began = performance.now();
      const waiting = get(urlOf(made), { ...owner.jwt, prefer: "wait=25" });
      await sleep(300);
      // Not the awaited change.
      await post(at, made, owner.jwt);
      await sleep(300);
      await post(at, made, orion.headers);
      const answer = await waiting;
      expect(answer.json<{ orion: [] }>().orion).toHaveLength(1);
      expect(performance.now() - began).toBeGreaterThan(590);
      expect(performance.now() - began).toBeLessThan(halfOf(25));
    }
    await there.close();
  });

  test("200: with Prefer: wait and an ETag, answers when anything has changed since", async () => {
    const made = await aTransaction(api, owner, { after: registered });
    const etag = String((await get(urlOf(made))).headers.etag);
    const headers = { ...owner.jwt, prefer: "respond-async, wait=20", "if-none-match": etag };
    const waiting = get(urlOf(made), headers);
    await sleep(200);
    await post(api, made, owner.jwt);
    const answer = await waiting;
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ user: [] }>().user).toHaveLength(1);
    // It has already changed: no wait.
    const began = performance.now();
    expect((await get(urlOf(made), headers)).statusCode).toBe(200);
    expect(performance.now() - began).toBeLessThan(halfOf(20));
  });

  test("200: with Prefer: wait and an ETag, also waits for changes of an approved one", async () => {
    const approved = [...registered, "verdictApproved", "userApproves"] as const;
    const made = await aTransaction(api, owner, { after: approved });
    const etag = String((await get(urlOf(made))).headers.etag);
    const waiting = get(urlOf(made), { ...owner.jwt, prefer: "wait=20", "if-none-match": etag });
    const first = await Promise.race([waiting, sleep(300, "still waiting")]);
    expect(first).toBe("still waiting");
    await post(api, made, owner.jwt, { decision: "REJECTED" });
    expect((await waiting).statusCode).toBe(200);
  });

  test("200: does not wait for a finished one", async () => {
    const made = await aTransaction(api, owner, { after: ["withdraw"] });
    const began = performance.now();
    expect((await get(urlOf(made), { ...owner.jwt, prefer: "wait=25" })).statusCode).toBe(200);
    expect(performance.now() - began).toBeLessThan(halfOf(25));
  });

  test("304: nothing new, for any form of the ETag, and without a body", async () => {
    const made = await aTransaction(api, owner);
    const etag = String((await get(urlOf(made))).headers.etag);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await get(urlOf(made), { ...owner.jwt, "if-none-match": known });
      expect(answer.statusCode).toBe(304);
      expect(answer.body).toBe("");
      expect(answer.headers).toMatchObject({ etag, "retry-after": "2" });
    }
    const flags = await get(urlOf(made, "?view=flags"), { ...owner.jwt, "if-none-match": etag });
    expect(flags.statusCode).toBe(200);
  });

  test("304: after a wait without a change", async () => {
    const made = await aTransaction(api, owner);
    const etag = String((await get(urlOf(made))).headers.etag);
    const began = performance.now();
    const answer = await get(urlOf(made), { ...owner.jwt, prefer: "wait=1", "if-none-match": etag });
    expect(answer.statusCode).toBe(304);
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  test("400: an unknown view", async () => {
    expect((await get(urlOf(await aTransaction(api, owner), "?view=all"))).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await get(urlOf({ requestHash: "0x00" }), {})).statusCode).toBe(401);
  });
  test("404: the same for an unknown hash, another account's, or a key without the scope", async () => {
    const made = await aTransaction(api, owner);
    const bodies = [];
    for (const headers of [...(await strangers(urlOf(made))), await withoutScope()]) {
      const answer = await get(urlOf(made), headers);
      expect(answer.statusCode).toBe(404);
      bodies.push(answer.body);
    }
    for (const requestHash of [unknownHash, "0x12", "nonsense"])
      bodies.push((await get(urlOf({ requestHash: requestHash as `0x${string}` }))).body);
    expect(new Set(bodies).size).toBe(1);
    const wait = { ...other.jwt, prefer: "wait=25" };
    expect((await get(urlOf(made), wait)).statusCode).toBe(404);
  });
  test("429: blocks an address that asks too often", async () => {
    expect(await exceed(`/transactions/${unknownHash}/approval-status`)).toEqual([401, 401, 429]);
  });
});

describe("GET /transactions/users/{ethereumAddress}", () => {
  test("200: all of them, newest first, with the decisions about each", async () => {
    const person = await aPerson(api);
    const first = await aTransaction(api, person, { after: registered });
    const sealed = await aTransaction(api, person, { form: "sealed", tx: null, description: "(sealed)" });
    const user = (await post(api, first, person.jwt)).json<object>();
    const key = (await post(api, first, person.agent.headers)).json<object>();
    const verdict = (await post(api, first, orion.headers)).json<object>();
    const url = `/transactions/users/${person.account}`;
    for (const headers of [person.jwt, await person.sign("GET", url), person.agent.headers, orion.headers]) {
      const answer = await get(url, headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers.link).toBeUndefined();
      const [newest, oldest] = answer.json<object[]>();
      expect(newest).toMatchObject({ id: sealed.id, tx: null, description: "(sealed)" });
      expect(oldest).toEqual({
        id: first.id,
        requestHash: first.requestHash,
        description: first.description,
        status: "APPROVED",
        execution: 1,
        createdAt: first.createdAt.toISOString(),
        updatedAt: expect.any(String) as string,
        escrowAddress: person.wallet.address,
        chainId: 11_155_111,
        ...watched,
        tx: { to: `0x${"11".repeat(20)}`, value: "1000000000000000", data: "0x" },
        ...{
          shape: "tx",
          signingHash: null,
          typedData: null,
          calls: null,
          safeTransaction: null,
          message: null,
          authorizationList: null,
          userOperation: null,
        },
        phase: "READY",
        reason: null,
        reasonDetail: null,
        needsOwner: null,
        policyDecision: null,
        agent: `jwt:${person.account}`,
        use: null,
        mandateId: null,
        executor: "wallet",
        intentProvenance: "agent-claimed",
        expiresAt: expect.any(String) as string,
        transactionHash: null,
        alert: null,
        approvals: { user: [user], apiKey: [key], orion: [verdict] },
      });
    }
  });
  test("200: in pages, each with a link to the next", async () => {
    const person = await aPerson(api);
    const made = [];
    for (let count = 0; count < 5; count++) made.push((await aTransaction(api, person)).id);
    const seen: string[] = [];
    let url: string | undefined = `/transactions/users/${person.account}?limit=2`;
    for (; url !== undefined;) {
      const answer = await get(url, person.jwt);
      seen.push(...answer.json<{ id: string }[]>().map(({ id }) => id));
      url = /^<https:\/\/api\.example(.*)>; rel="next"$/.exec(String(answer.headers.link))?.[1];
    }
    expect(seen).toEqual(made.reverse());
  });
  test("200: an empty list for an account without proposals", async () => {
    const person = await aPerson(api);
    expect((await get(`/transactions/users/${person.account}`, person.jwt)).json()).toEqual([]);
  });
  test.each(["?limit=0", "?limit=1001", "?limit=x", "?cursor=x", "?cursor="])("400: %s", async (query) => {
    expect((await get(`/transactions/users/${owner.account}${query}`)).statusCode).toBe(400);
  });
  test("400: malformed address", async () => {
    expect((await get("/transactions/users/0x12")).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await get(`/transactions/users/${owner.account}`, {})).statusCode).toBe(401);
  });
  test("403: another account's, known or not, and without the scope", async () => {
    const url = `/transactions/users/${owner.account}`;
    for (const headers of [...(await strangers(url)), await withoutScope()])
      expect((await get(url, headers)).statusCode).toBe(403);
    expect((await get(`/transactions/users/${aWallet().address}`)).statusCode).toBe(403);
  });
  test("404: an unknown user, for a server key", async () => {
    for (const { headers } of [admin, orion])
      expect((await get(`/transactions/users/${aWallet().address}`, headers)).statusCode).toBe(404);
  });
  test("429: blocks an address that asks too often", async () => {
    expect(await exceed(`/transactions/users/${owner.account}`)).toEqual([401, 401, 429]);
  });
});

describe("GET /transactions/{requestHash}", () => {
  test("200: the same as in the list, with its context", async () => {
    const contextLogs = { agent: "a", steps: [1, { b: null }] };
    const made = await aTransaction(api, owner, { contextLogs });
    const url = `/transactions/${made.requestHash}`;
    const [listed] = (await get(`/transactions/users/${owner.account}?limit=1`)).json<object[]>();
    for (const headers of await readers(url)) {
      const answer = await get(url, headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ ...listed, contextLogs });
    }
  });
  test("400: two credentials at once", async () => {
    const both = { ...owner.jwt, ...owner.agent.headers };
    expect((await get(`/transactions/${unknownHash}`, both)).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await get(`/transactions/${unknownHash}`, {})).statusCode).toBe(401);
  });
  test("404: an unknown one, and another account's", async () => {
    const url = `/transactions/${(await aTransaction(api, owner)).requestHash}`;
    for (const headers of [...(await strangers(url)), await withoutScope()])
      expect((await get(url, headers)).statusCode).toBe(404);
    expect((await get(`/transactions/${unknownHash}`, admin.headers)).statusCode).toBe(404);
    expect((await get("/transactions/users")).statusCode).toBe(404);
  });
  test("429: blocks an address that asks too often", async () => {
    expect(await exceed(`/transactions/${unknownHash}`)).toEqual([401, 401, 429]);
  });
});

describe("GET /transactions/{requestHash}/receipt", () => {
  const urlOf = ({ requestHash }: Pick<Transaction, "requestHash">) => `/transactions/${requestHash}/receipt`;

  test("200: everything needed to check the verdict", async () => {
    const service = await aService(api, { id: 7 });
    const bytes = writeEnvelope({ version: 1, form: "standard", ciphertext: "sealed" });
    const envelope = { bytes, digest: digestOf(bytes) };
    const contextLogs = { agent: "a" };
    const made = await aTransaction(api, owner, { serviceId: 7, envelope, contextLogs, after: registered });
    const report = aReport();
    const attestation = await anAttestation(made, service.wallet);
    await post(api, made, orion.headers, { decision: "APPROVED", attestation, report });
    await api.attest.keepTeeProof(made.requestHash, { format: "nitro" });
    for (const headers of await readers(urlOf(made))) {
      const answer = await get(urlOf(made), headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        requestHash: made.requestHash,
        domain: { name: "Countersign", version: "1", chainId: 11_155_111, verifyingContract: domain.inbox },
        proposal: {
          escrow: owner.wallet.address,
          chainId: 11_155_111,
          to: `0x${"11".repeat(20)}`,
          value: "1000000000000000",
          data: "0x",
          ...{
            shape: "tx",
            signingHash: null,
            typedData: null,
            calls: null,
            safeTransaction: null,
            message: null,
            authorizationList: null,
            userOperation: null,
          },
          userPrompt: made.description,
          ciphertext: null,
          executionType: 1,
          deadline: made.deadline.getTime() / 1000,
          salt: made.salt,
        },
        envelope: { digest: envelope.digest, cid: cidOf(envelope.digest) },
        decision: "APPROVED",
        attestation,
        report,
        reportHash: hashReport(report),
        ...{ needsOwner: null, mandateId: null, policyDecision: null },
        service: { id: 7, inbox: service.wallet.address, fingerprint: "ab".repeat(20) },
        registration: { chainId: 11_155_111, transactionHash: null, root: null, proof: null },
        execution: null,
        contextLogs,
        settlement: null,
        teeProof: { format: "nitro" },
      });
      const read = readAttestation(answer.json<{ attestation: unknown }>().attestation);
      expect(read && (await recoverAttestationSigner(read))).toBe(service.wallet.address.toLowerCase());
    }
    await api.client.query("truncate verification_services cascade");
  });
  test("200: for an encrypted one, the ciphertext without the intent", async () => {
    const terms = {
      escrow: owner.account,
      chainId: 11_155_111,
      executionType: 1,
      deadline: 2_000_000_000,
      salt: `0x${"55".repeat(32)}`,
    } as const;
    const bytes = writeEnvelope({ version: 1, form: "sealed", ...terms, ciphertext: "-----BEGIN…" });
    const envelope = { bytes, digest: digestOf(bytes) };
    const sealed = { form: "sealed", tx: null, description: "(sealed)", envelope } as const;
    const made = await aTransaction(api, owner, sealed);
    await post(api, made, orion.headers, { decision: "UNDECIDED", report: aReport() });
    expect((await get(urlOf(made))).json()).toMatchObject({
      proposal: { userPrompt: null, to: null, data: null, ciphertext: "-----BEGIN…" },
      report: null,
      reportHash: hashReport(aReport()),
      attestation: null,
      contextLogs: null,
    });
  });
  describe("balances in the report", () => {
    const held = "98765432109876543210";
    const balances = {
      ...{ status: "known", account: `0x${"11".repeat(20)}`, block: "24000000", fee_included: false },
      complete: true,
      assets: [{ kind: "native", symbol: "ETH", decimals: 18, before: held, after: "1", measured: true }],
    };
    const report = aReport({ context: { balances } });

    test("200: are unchanged, in the receipt alone, and only for those who may read the transaction", async () => {
      const made = await aTransaction(api, owner, { after: registered });
      await post(api, made, orion.headers, { decision: "REJECTED", report });
      const answer = await get(urlOf(made));
      expect(answer.json()).toMatchObject({
        report: { context: { balances } },
        reportHash: hashReport(report),
      });
      const path = `/transactions/${made.requestHash}`;
      for (const url of [path, `${path}/approval-status`, `/transactions/users/${owner.account}`]) {
        const { statusCode, body } = await get(url);
        expect([url, statusCode, body.includes(held)]).toEqual([url, 200, false]);
      }
      for (const headers of [...(await strangers(urlOf(made))), {}])
        expect((await get(urlOf(made), headers)).body).not.toContain(held);
    });
    test("200: are stored nowhere for a payload that its sender encrypted", async () => {
      const made = await aTransaction(api, owner, { form: "sealed", tx: null, description: "(sealed)" });
      await post(api, made, orion.headers, { decision: "UNDECIDED", report });
      const answer = await get(urlOf(made));
      expect(answer.json()).toMatchObject({ report: null, reportHash: hashReport(report) });
      expect(answer.body).not.toContain(held);
      const { rows } = await api.client.query("select 1 from reports where transaction_id = $1", [made.id]);
      expect(rows).toEqual([]);
    });
  });
  test("400: two credentials at once", async () => {
    const both = { ...owner.jwt, ...owner.agent.headers };
    expect((await get(urlOf({ requestHash: "0x" }), both)).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await get(urlOf({ requestHash: "0x" }), {})).statusCode).toBe(401);
  });
  test("404: before the verdict, another account's, and an unknown one", async () => {
    const made = await aTransaction(api, owner);
    const early = await get(urlOf(made));
    expect(early.statusCode).toBe(404);
    expect(early.headers["x-error-code"]).toBe("transactions.no-verdict");
    for (const headers of [...(await strangers(urlOf(made))), await withoutScope()]) {
      const answer = await get(urlOf(made), headers);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers["x-error-code"]).toBe("transactions.not-found");
    }
    expect((await get(urlOf({ requestHash: "0x" }))).statusCode).toBe(404);
  });
  describe("with bundle=1", () => {
    const request = { human_intent: "Send 1 ETH", metadata: { state: { version: 1, codes: {} } } };
    const bundle = gzipSync(JSON.stringify(request)).toString("base64");
    const report = aReport({
      context: { inputs: { hash: hashReport(request), at: 1, configuration: "0x1" } },
    });

    test("200: the inputs of the verdict, for its owner and the owner's keys", async () => {
      const made = await aTransaction(api, owner, { after: registered });
      expect(
        (await post(api, made, orion.headers, { decision: "REJECTED", report, bundle })).statusCode,
      ).toBe(201);
      const url = `${urlOf(made)}?bundle=1`;
      const answer = await get(url, owner.jwt);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({
        report,
        bundle: { version: 1, hash: hashReport(request), request },
      });
      expect((await get(url, owner.agent.headers)).json()).toEqual(answer.json());
      expect((await get(urlOf(made), owner.jwt)).json()).not.toHaveProperty("bundle");
    });
    test("200: null if none was stored", async () => {
      const made = await aTransaction(api, owner, { after: registered });
      await post(api, made, orion.headers, { decision: "REJECTED", report: aReport() });
      expect((await get(`${urlOf(made)}?bundle=1`, owner.jwt)).json()).toMatchObject({ bundle: null });
    });
    test("403: server keys", async () => {
      const made = await aTransaction(api, owner, { after: registered });
      await post(api, made, orion.headers, { decision: "REJECTED", report, bundle });
      expect((await get(`${urlOf(made)}?bundle=1`, orion.headers)).statusCode).toBe(403);
    });
    test("404: another account", async () => {
      const made = await aTransaction(api, owner, { after: registered });
      await post(api, made, orion.headers, { decision: "REJECTED", report, bundle });
      expect((await get(`${urlOf(made)}?bundle=1`, other.jwt)).statusCode).toBe(404);
    });
    test("a verdict with a bundle that the report does not name is refused", async () => {
      const other = gzipSync(JSON.stringify({ ...request, human_intent: "Send 2 ETH" })).toString("base64");
      const bomb = gzipSync(Buffer.alloc(3 * 1024 * 1024, " ")).toString("base64");
      for (const body of [
        { report, bundle: other },
        { report, bundle: bomb },
        { report, bundle: "bm8gZ3ppcA==" },
        { report, bundle: "not base64!" },
        { report: aReport(), bundle },
        { bundle },
      ]) {
        const made = await aTransaction(api, owner, { after: registered });
        const answer = await post(api, made, orion.headers, { decision: "REJECTED", ...body });
        expect(answer.statusCode).toBe(400);
      }
    });
    test("a bundle from another caller than the verification service is refused", async () => {
      const made = await aTransaction(api, owner, { after: registered });
      expect((await post(api, made, owner.jwt, { decision: "REJECTED", bundle })).statusCode).toBe(400);
    });
  });
  test("429: blocks an address that asks too often", async () => {
    expect(await exceed(`/transactions/${unknownHash}/receipt`)).toEqual([401, 401, 429]);
  });
});

test("a sweep releases waiting readers", async () => {
  const made = await aTransaction(api, owner);
  const waiting = get(`/transactions/${made.requestHash}/approval-status`, {
    ...owner.jwt,
    prefer: "wait=25",
  });
  await sleep(200);
  await api.client.query("update transactions set expires_at = now() where id = $1", [made.id]);
  await api.expireOverdue();
  const answer = await waiting;
  expect(answer.headers["retry-after"]).toBeUndefined();
});
