import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aWallet } from "../../../test/sign-in.ts";
import { begin } from "../lifecycle.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  approvalsUrl,
  aReport,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  secondsFromNow,
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
  [admin, orion] = [await aServerKey(api, "admin", "arbiter"), await aServerKey(api, "orion")];
});
afterAll(() => api.close());

const read = async ({ requestHash }: Transaction): Promise<Transaction> => {
  const found = await api.store.find(requestHash);
  if (found === undefined) throw new Error("gone");
  return found;
};
const yes = { decision: "APPROVED" };
const no = { decision: "REJECTED" };
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const unknownHash = { requestHash: `0x${"00".repeat(32)}` } as const;

describe("POST /transactions/{requestHash}/approvals", () => {
  test("201: the owner's session gives a user approval, which a verdict completes", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const answer = await post(api, transaction, owner.jwt);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(String) as string,
      transactionId: transaction.id,
      decision: "APPROVED",
      type: "user_ui",
      approver: owner.user,
      verdictSeen: null,
      createdAt: expect.stringMatching(iso) as string,
    });
    expect(await read(transaction)).toMatchObject({ phase: "REGISTERED", user: "APPROVED" });
    await post(api, transaction, orion.headers);
    expect(await read(transaction)).toMatchObject({ phase: "READY", orion: "APPROVED" });
  });

  test("201: the owner's signature, in the other form of the body", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const payload = JSON.stringify({ approved: false });
    const headers = await owner.sign("POST", approvalsUrl(transaction), payload);
    const answer = await api.send({
      method: "POST",
      url: approvalsUrl(transaction),
      headers: { ...headers, "content-type": "application/json" },
      payload,
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ decision: "REJECTED", type: "user", approver: owner.user });
    expect(await read(transaction)).toMatchObject({ phase: "REJECTED", reason: "USER" });
  });

  test.each(["APPROVED", "REJECTED"])("201: a signature over a URL that also says %s", async (decision) => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const url = `${approvalsUrl(transaction)}?decision=${decision}`;
    const payload = JSON.stringify({ decision });
    const headers = {
      ...(await owner.sign("POST", url, payload)),
      "content-type": "application/json",
    };
    const answer = await api.send({ method: "POST", url, headers, payload });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ decision, type: "user", approver: owner.user });
    expect(await read(transaction)).toMatchObject({ user: decision });
  });

  test("201: the owner rejects with a reason, which the agent reads", async () => {
    const reason = "Wrong invoice.\nUse the one of November.";
    const signedBody = JSON.stringify({ decision: "REJECTED", reason });
    for (const how of ["session", "signature"] as const) {
      const transaction = await aTransaction(api, owner, { after: registered });
      const url = approvalsUrl(transaction);
      const headers =
        how === "session"
          ? owner.jwt
          : { ...(await owner.sign("POST", url, signedBody)), "content-type": "application/json" };
      const payload = how === "session" ? { decision: "REJECTED", reason } : signedBody;
      const answer = await api.send({ method: "POST", url, headers, payload });
      expect(answer.json()).toMatchObject({ decision: "REJECTED", reason });
      const read = await api.send({
        url: `/transactions/${transaction.requestHash}`,
        headers: owner.agent.headers,
      });
      expect(read.json()).toMatchObject({ approvals: { user: [{ reason }] } });
    }
  });
  test("201: a reason of an approval or of a key is ignored", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const approved = await post(api, transaction, owner.jwt, { decision: "APPROVED", reason: "Fine" });
    expect([approved.statusCode, approved.json<object>()]).toEqual([
      201,
      expect.not.objectContaining({ reason: "Fine" }) as object,
    ]);
    const byKey = await post(api, transaction, owner.agent.headers, { decision: "REJECTED", reason: {} });
    expect(byKey.statusCode).toBe(201);
  });
  test("400: a reason that is empty, too long, or has invisible characters", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    for (const reason of ["", " ", "a".repeat(501), "a\u202Eb", "a\u0000b", 5])
      expect((await post(api, transaction, owner.jwt, { decision: "REJECTED", reason })).statusCode).toBe(
        400,
      );
  });
  test("201: an upper-case hash is the same hash", async () => {
    const { requestHash } = await aTransaction(api, owner);
    const shouted = `0x${requestHash.slice(2).toUpperCase()}` as const;
    expect((await post(api, { requestHash: shouted }, owner.jwt)).statusCode).toBe(201);
  });

  test("201: an API key of the owner approves: recorded, and never sufficient", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const answer = await post(api, transaction, owner.agent.headers);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(String) as string,
      transactionId: transaction.id,
      decision: "APPROVED",
      type: "user",
      label: "agent",
      apiKeyId: owner.agent.id,
      effective: false,
      note: expect.stringMatching(
        /^Recorded without effect: an API key cannot approve for its owner/,
      ) as string,
      createdAt: expect.stringMatching(iso) as string,
    });
    for (const label of ["user", "arbiter"] as const)
      expect((await post(api, transaction, (await owner.key(label)).headers)).statusCode).toBe(201);
    await post(api, transaction, orion.headers);
    expect(await read(transaction)).toMatchObject({ phase: "AWAITING", agent: "APPROVED", user: null });
  });

  test("201: an API key of the owner rejects, and that is final", async () => {
    const transaction = await aTransaction(api, owner, { after: [...registered, "verdictApproved"] });
    expect((await post(api, transaction, owner.agent.headers, no)).statusCode).toBe(201);
    expect(await read(transaction)).toMatchObject({ phase: "REJECTED", reason: "AGENT" });
    expect((await post(api, transaction, owner.jwt)).statusCode).toBe(400);
  });

  test("201: ADMIN keys, with their labels; two may both approve, and one may reject", async () => {
    const transaction = await aTransaction(api, owner);
    const answer = await post(api, transaction, admin.headers);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ type: "admin", label: "arbiter", apiKeyId: admin.id });
    expect(answer.json()).toMatchObject({
      effective: false,
      note: expect.stringMatching(/^Recorded without effect: an ADMIN key's approval/) as string,
    });
    expect(await read(transaction)).toMatchObject({ phase: transaction.phase });
    const second = await aServerKey(api, "admin", "agent");
    expect((await post(api, transaction, second.headers)).statusCode).toBe(201);
    const third = await aServerKey(api, "admin", "agent");
    const rejection = await post(api, transaction, third.headers, no);
    expect(rejection.statusCode).toBe(201);
    expect(rejection.json()).toMatchObject({ effective: true, note: null });
    expect(await read(transaction)).toMatchObject({ phase: "REJECTED", reason: "ADMIN" });
  });

  test("201: an ORION key posts the verdict, with everything that came with it", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const report = aReport({ decision: "REJECT", primary_failure_node: "intent_alignment.amount" });
    const payload = {
      approved: false,
      confidence: 0.9,
      analysis: "sends more than it says",
      requestHash: transaction.requestHash,
      report,
    };
    const answer = await post(api, transaction, orion.headers, payload);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(String) as string,
      transactionId: transaction.id,
      decision: "REJECTED",
      type: "orion",
      confidence: 0.9,
      analysis: "sends more than it says",
      attestation: null,
      createdAt: expect.stringMatching(iso) as string,
    });
    expect(await read(transaction)).toMatchObject({
      phase: "REJECTED",
      reason: "ORION",
      protocol: "uniswap-v3",
      failureNode: "intent_alignment.amount",
      verdictAt: expect.any(Date) as Date,
    });
    expect(await api.store.readReport(transaction.id)).toEqual(report);
  });

  test("201: an ADMIN key's approval that the policy counts is reported as effective", async () => {
    const policy = { requireUser: false, adminMayApprove: true, external: true };
    const transaction = await aTransaction(api, owner, { lifecycle: begin(0, policy), after: registered });
    const answer = await post(api, transaction, admin.headers);
    expect(answer.json()).toMatchObject({ effective: true, note: null });
    expect(await read(transaction)).toMatchObject({ phase: "READY" });
  });

  test("201: a verdict without confidence and analysis still has a number and a string", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const answer = await post(api, transaction, orion.headers, no);
    expect(answer.json()).toMatchObject({ type: "orion", confidence: 0, analysis: "" });
    const status = await api.send({
      url: `/transactions/${transaction.requestHash}/approval-status`,
      headers: owner.jwt,
    });
    expect(status.json()).toMatchObject({ orion: [{ confidence: 0, analysis: "" }] });
  });

  test.each([
    [
      "in their documented form",
      { confidence: 0.5, analysis: "looks good", requestHash: `0x${"ab".repeat(32)}` },
    ],
    ["in any other form", { confidence: 1.1, analysis: 7, requestHash: null }],
  ])("201: ignores the ORION members %s from other callers", async (_, members) => {
    for (const headers of [owner.jwt, owner.agent.headers, admin.headers]) {
      const transaction = await aTransaction(api, owner);
      const answer = await post(api, transaction, headers, { ...yes, ...members });
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).not.toHaveProperty("confidence");
      const { rows } = await api.client.query(
        "select confidence, analysis from approvals where transaction_id = $1",
        [transaction.id],
      );
      expect(rows).toEqual([{ confidence: null, analysis: null }]);
    }
  });

  test("201: an UNDECIDED verdict asks the owner, whatever the execution type", async () => {
    const transaction = await aTransaction(api, owner, { executionType: 2, after: registered });
    const undecided = { decision: "UNDECIDED" };
    expect((await post(api, transaction, orion.headers, undecided)).statusCode).toBe(201);
    expect(await read(transaction)).toMatchObject({ phase: "AWAITING", orion: "UNDECIDED" });
    await post(api, transaction, owner.jwt);
    expect((await read(transaction)).phase).toBe("READY");
  });

  test("201: an approval given before an UNDECIDED verdict does not count, and the owner may approve again", async () => {
    for (const executionType of [0, 1, 2] as const)
      for (const early of [owner.jwt, undefined]) {
        const transaction = await aTransaction(api, owner, { executionType, after: registered });
        const payload = JSON.stringify(yes);
        const signed = await owner.sign("POST", approvalsUrl(transaction), payload);
        const headers = early ?? { ...signed, "content-type": "application/json" };
        const first = await api.send({
          method: "POST",
          url: approvalsUrl(transaction),
          headers,
          payload: yes,
        });
        await post(api, transaction, orion.headers, { decision: "UNDECIDED", report: aReport() });
        expect(await read(transaction)).toMatchObject({ phase: "AWAITING", user: null });
        const flags = await api.send({
          ...{
            url: `/transactions/${transaction.requestHash}/approval-status?view=flags`,
            headers: owner.jwt,
          },
        });
        // Form 2 reports whether any user approved, not whether that still counts.
        expect(flags.json()).toMatchObject({ user: true, orion: false });
        const second = await post(api, transaction, owner.jwt);
        expect(second.statusCode).toBe(201);
        expect(second.json()).toMatchObject({ verdictSeen: "UNDECIDED" });
        expect(second.json<{ id: string }>().id).not.toBe(first.json<{ id: string }>().id);
        expect(await read(transaction)).toMatchObject({ phase: "READY", user: "APPROVED" });
        expect((await post(api, transaction, owner.jwt)).json()).toEqual(second.json());
      }
  });

  test("201: an owner who approved before an UNDECIDED verdict may reject it", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    await post(api, transaction, owner.jwt);
    await post(api, transaction, orion.headers, { decision: "UNDECIDED" });
    expect((await post(api, transaction, owner.jwt, no)).statusCode).toBe(201);
    expect(await read(transaction)).toMatchObject({ phase: "REJECTED", reason: "USER" });
  });

  test("201: a verdict before registration is stored, and takes effect then", async () => {
    const transaction = await aTransaction(api, await aPerson(api), { executionType: 2 });
    expect((await post(api, transaction, orion.headers)).statusCode).toBe(201);
    expect(await read(transaction)).toMatchObject({ phase: "RECEIVED", orion: "APPROVED" });
    await api.store.change({ id: transaction.id }, () => ({ events: ["pin", "register"] }));
    expect((await read(transaction)).phase).toBe("READY");
  });

  test("201: repeating a decision returns the existing record, also after the end", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    for (const [headers, payload] of [
      [owner.agent.headers, yes],
      [admin.headers, yes],
      [orion.headers, yes],
      [owner.jwt, yes],
      [owner.jwt, no],
    ] as const) {
      const first = await post(api, transaction, headers, payload);
      const { version } = await read(transaction);
      const again = await post(api, transaction, headers, payload);
      expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
      expect(again.json()).toEqual(first.json());
      expect((await read(transaction)).version).toBe(version);
    }
    expect((await post(api, transaction, admin.headers)).statusCode).toBe(201);
  });

  test("201: the owner cancels an approval until execution has begun", async () => {
    const after = [...registered, "verdictApproved"] as const;
    const transaction = await aTransaction(api, owner, { after });
    await post(api, transaction, owner.jwt);
    expect((await read(transaction)).phase).toBe("READY");
    expect((await post(api, transaction, owner.jwt, no)).statusCode).toBe(201);
    expect(await read(transaction)).toMatchObject({ phase: "REJECTED", reason: "USER" });
  });

  test("201: an encrypted one is known by its verdict, and its report is not stored", async () => {
    const transaction = await aTransaction(api, owner, {
      form: "sealed",
      tx: null,
      description: "(encrypted by the sender)",
    });
    const attestation = await anAttestation(transaction, aWallet(), { intentHash: `0x${"77".repeat(32)}` });
    const payload = { ...yes, attestation, report: aReport() };
    expect((await post(api, transaction, orion.headers, payload)).statusCode).toBe(201);
    expect(await read(transaction)).toMatchObject({
      tx: null,
      expected: { to: `0x${"22".repeat(20)}`, value: 7n, dataHash: attestation.verdict.dataHash },
      protocol: null,
    });
    expect(await api.store.readReport(transaction.id)).toBeUndefined();
  });

  test("201: once under an Idempotency-Key, and the same answer for the same request", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const headers = { ...owner.jwt, "idempotency-key": "once" };
    const first = await post(api, transaction, headers);
    expect(first.statusCode).toBe(201);
    await post(api, transaction, owner.jwt, no);
    const again = await post(api, transaction, headers);
    expect(again.statusCode).toBe(201);
    expect(again.json()).toEqual(first.json());
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  test.each([
    ["nothing", {}],
    ["both forms at once", { decision: "APPROVED", approved: true }],
    ["an unknown decision", { decision: "MAYBE" }],
    ["a word for a boolean", { approved: "true" }],
    ["confidence beyond one", { approved: true, confidence: 1.1 }],
    ["a report with an invalid number", '{"approved":true,"report":{"n":1e999}}'],
  ])("400: %s", async (_, payload) => {
    const transaction = await aTransaction(api, owner);
    const headers = { ...orion.headers, "content-type": "application/json" };
    const url = approvalsUrl(transaction);
    expect((await api.send({ method: "POST", url, headers, payload })).statusCode).toBe(400);
  });

  test.each([
    ["attestation", { ...yes, attestation: {} }],
    ["report", { ...yes, report: {} }],
    ["UNDECIDED", { decision: "UNDECIDED" }],
  ])("400: %s from any caller but an ORION key", async (_, payload) => {
    const transaction = await aTransaction(api, owner);
    for (const headers of [owner.jwt, owner.agent.headers, admin.headers])
      expect((await post(api, transaction, headers, payload)).statusCode).toBe(400);
    expect(await read(transaction)).toEqual(transaction);
  });

  test.each([
    ["APPROVED", no],
    ["APPROVED", { approved: false }],
    ["REJECTED", yes],
    ["REJECTED", { approved: true }],
    ["UNDECIDED", { decision: "UNDECIDED" }],
    ["APPROVED&decision=REJECTED", yes],
    ["", yes],
  ])("400: a URL that says %s along with a body that says %j, in either form", async (said, body) => {
    const transaction = await aTransaction(api, owner, { after: registered });
    const url = `${approvalsUrl(transaction)}?decision=${said}`;
    const payload = JSON.stringify(body);
    for (const headers of [await owner.sign("POST", url, payload), owner.jwt, orion.headers]) {
      const json = { ...headers, "content-type": "application/json" };
      expect((await api.send({ method: "POST", url, headers: json, payload })).statusCode).toBe(400);
    }
    expect(await read(transaction)).toEqual(transaction);
  });

  test("400: a requestHash that differs from the path", async () => {
    const transaction = await aTransaction(api, owner);
    const payload = { ...yes, requestHash: unknownHash.requestHash };
    expect((await post(api, transaction, orion.headers, payload)).statusCode).toBe(400);
  });

  test("400: a contradicting decision, except the owner's rejection", async () => {
    const transaction = await aTransaction(api, owner, { after: registered });
    await post(api, transaction, owner.agent.headers);
    await post(api, transaction, admin.headers);
    await post(api, transaction, orion.headers);
    for (const headers of [owner.agent.headers, admin.headers, orion.headers])
      expect((await post(api, transaction, headers, no)).statusCode).toBe(400);
    const second = await aServerKey(api, "orion");
    expect((await post(api, transaction, second.headers, no)).statusCode).toBe(400);
    await post(api, transaction, owner.jwt);
    await post(api, transaction, owner.jwt, no);
    expect((await post(api, transaction, owner.jwt)).statusCode).toBe(400);
  });

  test("400: too late, for every caller and decision", async () => {
    const ready = ["verdictApproved", "userApproves"] as const;
    const ends = [
      ["withdraw"],
      [...ready, "expireReady"],
      [...ready, "seeSuccess"],
      [...ready, "seeSuccess", "finalize"],
    ] as const;
    for (const end of ends) {
      const transaction = await aTransaction(api, owner, { after: [...registered, ...end] });
      for (const headers of [owner.jwt, owner.agent.headers, admin.headers, orion.headers])
        for (const payload of [yes, no])
          expect((await post(api, transaction, headers, payload)).statusCode).toBe(400);
    }
  });

  test("400: expired, also if the sweeper has not run", async () => {
    const transaction = await aTransaction(api, owner, { deadline: secondsFromNow(-1) });
    const answer = await post(api, transaction, owner.jwt);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["x-error-code"]).toBe("transactions.not-pending");
  });

  test("400: a malformed Idempotency-Key", async () => {
    const transaction = await aTransaction(api, owner);
    const headers = { ...owner.jwt, "idempotency-key": "a b" };
    expect((await post(api, transaction, headers)).statusCode).toBe(400);
  });

  test("401: without a credential, and with a malformed key", async () => {
    const transaction = await aTransaction(api, owner);
    expect((await post(api, transaction, {})).statusCode).toBe(401);
    expect((await post(api, transaction, { "x-api-key": "cs_user_live_no" })).statusCode).toBe(401);
  });

  test("403: another user, with any credential", async () => {
    const transaction = await aTransaction(api, owner);
    for (const headers of [other.jwt, other.agent.headers])
      expect((await post(api, transaction, headers)).statusCode).toBe(403);
    const payload = JSON.stringify(yes);
    const signed = await other.sign("POST", approvalsUrl(transaction), payload);
    const headers = { ...signed, "content-type": "application/json" };
    const answer = await api.send({ method: "POST", url: approvalsUrl(transaction), headers, payload });
    expect(answer.statusCode).toBe(403);
  });

  test("403: an API key of the owner without the scope", async () => {
    const transaction = await aTransaction(api, owner);
    const { id, headers } = await owner.key();
    await api.client.query("update api_keys set scopes = '{transactions:read:own}' where id = $1", [id]);
    expect((await post(api, transaction, headers)).statusCode).toBe(403);
  });

  test("404: an unknown or malformed hash", async () => {
    for (const headers of [owner.jwt, owner.agent.headers, admin.headers, orion.headers])
      expect((await post(api, unknownHash, headers)).statusCode).toBe(404);
    expect((await post(api, { requestHash: "0x12" }, owner.jwt)).statusCode).toBe(404);
  });

  test("409: an Idempotency-Key that was used for another decision or transaction", async () => {
    const [one, two] = [await aTransaction(api, owner), await aTransaction(api, owner)];
    const headers = { ...owner.jwt, "idempotency-key": "twice" };
    await post(api, one, headers);
    expect((await post(api, one, headers, no)).statusCode).toBe(409);
    expect((await post(api, two, headers)).statusCode).toBe(409);
    expect((await read(one)).user).toBe("APPROVED");
  });

  test("429: blocks an address that decides too often", async () => {
    const narrow = await aDecideApi(3);
    try {
      const answers = [];
      for (let count = 0; count < 4; count++) answers.push((await post(narrow, unknownHash, {})).statusCode);
      expect(answers).toEqual([401, 401, 401, 429]);
    } finally {
      await narrow.close();
    }
  });
});

describe("an attestation", () => {
  const send = (transaction: Transaction, attestation: unknown, more: object = {}) =>
    post(api, transaction, orion.headers, { ...yes, attestation, ...more });

  test("is stored if no service is registered and its signature is valid, and rejected if it is not", async () => {
    const transaction = await aTransaction(api, owner);
    const attestation = await anAttestation(transaction, aWallet());
    const lie = { ...attestation, signer: aWallet().address };
    expect((await send(transaction, lie)).statusCode).toBe(400);
    const answer = await send(transaction, { ...attestation, more: "of it" }, { report: aReport() });
    expect(answer.statusCode).toBe(201);
    expect(answer.json<{ attestation: unknown }>().attestation).toEqual(attestation);
    const [approval] = await api.store.listApprovals(transaction.id);
    expect(approval).toMatchObject({ attestation, reportHash: attestation.verdict.reportHash });
  });

  test("must be signed by the service that the proposal was encrypted for, or by any active one if it names none", async () => {
    const [service, second] = [await aService(api, { id: 1 }), await aService(api, { id: 2 })];
    const retired = await aService(api, { id: 3, active: false });
    const sealed = await aTransaction(api, owner, { serviceId: service.id });
    expect((await send(sealed, await anAttestation(sealed, second.wallet))).statusCode).toBe(400);
    expect((await send(sealed, await anAttestation(sealed, service.wallet))).statusCode).toBe(201);
    const free = await aTransaction(api, owner, { form: "unsealed", executionType: 0 });
    for (const wallet of [retired.wallet, aWallet()])
      expect((await send(free, await anAttestation(free, wallet))).statusCode).toBe(400);
    expect((await send(free, await anAttestation(free, second.wallet))).statusCode).toBe(201);
    await api.client.query("truncate verification_services cascade");
  });

  test("is required once a verification service is registered, even an inactive one", async () => {
    for (const active of [true, false]) {
      const service = await aService(api, { id: 9, active });
      for (const serviceId of [null, service.id]) {
        const transaction = await aTransaction(api, owner, {
          executionType: 2,
          serviceId,
          after: registered,
        });
        for (const decision of ["APPROVED", "UNDECIDED"]) {
          const answer = await post(api, transaction, orion.headers, { decision, report: aReport() });
          expect(answer.statusCode).toBe(400);
          expect(answer.headers["x-error-code"]).toBe("transactions.attestation-required");
        }
        expect((await post(api, transaction, orion.headers, { approved: true })).statusCode).toBe(400);
        expect(await read(transaction)).toEqual(transaction);
        expect((await post(api, transaction, orion.headers, no)).statusCode).toBe(201);
        expect(await read(transaction)).toMatchObject({ phase: "REJECTED", reason: "ORION" });
      }
      await api.client.query("truncate verification_services cascade");
    }
  });

  test("of a service that is no longer active is rejected, also for proposals encrypted for it", async () => {
    const service = await aService(api, { id: 1, active: false });
    const transaction = await aTransaction(api, owner, { serviceId: service.id });
    expect((await send(transaction, await anAttestation(transaction, service.wallet))).statusCode).toBe(400);
    await api.client.query("truncate verification_services cascade");
  });

  test("that expired a second ago is rejected, and one that is still valid is not", async () => {
    const transaction = await aTransaction(api, owner);
    const at = (seconds: number) => ({ validUntil: Math.floor(Date.now() / 1000) + seconds });
    const wallet = aWallet();
    const late = await send(transaction, await anAttestation(transaction, wallet, at(-1)));
    expect(late.statusCode).toBe(400);
    expect(late.json<{ message: string }>().message).toContain("validUntil has passed");
    expect((await send(transaction, await anAttestation(transaction, wallet, at(20)))).statusCode).toBe(201);
  });

  test.each([
    ["decision", { decision: "REJECTED" as const }],
    ["requestHash", { requestHash: unknownHash.requestHash }],
    ["escrow", { escrow: `0x${"33".repeat(20)}` as const }],
    ["chainId", { chainId: 1 }],
    ["to", { to: `0x${"33".repeat(20)}` as const }],
    ["value", { value: 2n }],
    ["dataHash", { dataHash: unknownHash.requestHash }],
    ["intentHash", { intentHash: unknownHash.requestHash }],
    ["domain", { domain: { chainId: 1, inbox: `0x${"1b".repeat(20)}` as const } }],
    ["domain", { domain: { chainId: 11_155_111, inbox: `0x${"1c".repeat(20)}` as const } }],
    ["domain", { domain: { chainId: 11_155_111, inbox: `0x${"1b".repeat(19)}1c` as const } }],
    ["domain", { domain: { chainId: 11_155_111, inbox: `0x2b${"1b".repeat(19)}` as const } }],
    ["domain", { domain: { chainId: 11_155_112, inbox: `0x${"1b".repeat(20)}` as const } }],
  ])("about another %s is rejected, and nothing is stored", async (name, changes) => {
    const transaction = await aTransaction(api, owner);
    const answer = await send(transaction, await anAttestation(transaction, aWallet(), changes));
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ message: string }>().message).toContain(name);
    expect(await read(transaction)).toEqual(transaction);
  });

  test("about another report, malformed or with a broken signature is rejected", async () => {
    const transaction = await aTransaction(api, owner);
    const attestation = await anAttestation(transaction, aWallet());
    const report = aReport({ llm_calls: 1 });
    expect((await send(transaction, attestation, { report })).statusCode).toBe(400);
    expect((await send(transaction, { verdict: {} })).statusCode).toBe(400);
    const broken = { ...attestation, signature: `0x${"ff".repeat(65)}` };
    expect((await send(transaction, broken)).statusCode).toBe(400);
    expect(await read(transaction)).toEqual(transaction);
  });
});

describe("POST /transactions/{requestHash}/withdraw", () => {
  const withdraw = ({ requestHash }: { requestHash: string }, headers: Record<string, string>) =>
    api.send({ method: "POST", url: `/transactions/${requestHash}/withdraw`, headers });

  test("200: by the owner in person", async () => {
    const transaction = await aTransaction(api, owner, { proposer: `key:${owner.agent.id}` });
    const answer = await withdraw(transaction, owner.jwt);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: "REJECTED", phase: "REJECTED", reason: "WITHDRAWN" });
    const signed = await aTransaction(api, owner);
    const headers = await owner.sign("POST", `/transactions/${signed.requestHash}/withdraw`);
    expect((await withdraw(signed, headers)).statusCode).toBe(200);
  });
  test("200: by the key that proposed it, also an administrator's", async () => {
    for (const { id, headers } of [owner.agent, admin]) {
      const transaction = await aTransaction(api, owner, { proposer: `key:${id}` });
      expect((await withdraw(transaction, headers)).statusCode).toBe(200);
    }
  });
  test("400: once it is not pending", async () => {
    const transaction = await aTransaction(api, owner);
    await withdraw(transaction, owner.jwt);
    expect((await withdraw(transaction, owner.jwt)).statusCode).toBe(400);
    const after = [...registered, "verdictApproved", "userApproves"] as const;
    expect((await withdraw(await aTransaction(api, owner, { after }), owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await withdraw(unknownHash, {})).statusCode).toBe(401);
  });
  test("403: any other caller", async () => {
    const transaction = await aTransaction(api, owner);
    for (const headers of [other.jwt, other.agent.headers, owner.agent.headers, admin.headers, orion.headers])
      expect((await withdraw(transaction, headers)).statusCode).toBe(403);
  });
  test("404: an unknown hash", async () => {
    expect((await withdraw(unknownHash, owner.jwt)).statusCode).toBe(404);
  });
  test("429: blocks an address that withdraws too often", async () => {
    const narrow = await aDecideApi(1);
    const url = `/transactions/${unknownHash.requestHash}/withdraw`;
    const codes = [];
    for (let count = 0; count < 2; count++)
      codes.push((await narrow.send({ method: "POST", url })).statusCode);
    await narrow.close();
    expect(codes).toEqual([401, 429]);
  });
});

describe("an overdue transaction", () => {
  test("is ended by the sweep, pending or approved, once", async () => {
    const deadline = secondsFromNow(-1);
    const pending = await aTransaction(api, owner, { deadline });
    const after = [...registered, "verdictApproved", "userApproves"] as const;
    const approved = await aTransaction(api, owner, { after });
    await api.client.query("update transactions set expires_at = now() where id = $1", [approved.id]);
    const fresh = await aTransaction(api, owner);
    await api.expireOverdue();
    expect(await read(pending)).toMatchObject({ phase: "REJECTED", reason: "EXPIRED", expiresAt: null });
    expect(await read(approved)).toMatchObject({ phase: "FAILED", reason: "EXPIRED", expiresAt: null });
    expect((await read(fresh)).phase).toBe("RECEIVED");
    expect(await api.expireOverdue()).toBe(0);
  });
});
