import { randomUUID } from "node:crypto";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aMandate, anEffect, find, reportOf, usdc } from "../../test/mandates.ts";
import { exceedLimit } from "../../test/test-api.ts";
import { aProposal } from "../../test/transactions.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../test/transactions/decide-api.ts";

let made: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  made = await aDecideApi();
  orion = await aServerKey(made, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(made));
});
afterAll(() => made.close());

type Transaction = Awaited<ReturnType<typeof aTransaction>>;
type Headers = Record<string, string>;
type Shown = {
  readonly agent: string;
  readonly status: string;
  readonly figures: Record<string, number>;
  readonly spending: readonly { readonly units: string; readonly by: string }[];
  readonly uncounted: number;
};

const send = (method: string, url: string, headers: Headers = {}) =>
  made.api.http.send({ method, url, headers });
const limited = (method: "GET" | "PUT" | "DELETE", url: string) => exceedLimit(made.api, { method, url });
const urlOf = (owner: Person): string => `/agents/key/${owner.agent.id}`;
const read = async (owner: Person, url = urlOf(owner)): Promise<Shown> =>
  (await send("GET", url, owner.jwt)).json<Shown>();

let count = 0;
const propose = (owner: Person): Promise<Transaction> =>
  aTransaction(made, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    description: `Pay the shop, number ${++count}.`,
    tx: { to: owner.account, value: 0n, data: "0x01" },
  });

async function verify(transaction: Transaction): Promise<Transaction> {
  const { report, reportHash } = reportOf([anEffect()]);
  const attestation = await anAttestation(transaction, verifier, { reportHash });
  const verdict = { decision: "APPROVED", attestation, report };
  expect((await post(made, transaction, orion.headers, verdict)).statusCode).toBe(201);
  return find(made.store, transaction);
}

async function aGrant({ account }: Person): Promise<string> {
  const id = randomUUID();
  await made.client.query(
    `insert into oauth_grants (id, account, client_id, client_name, scopes, ends_at)
     values ($1, $2, 'client', 'A program', '{}', now() + interval '1 day')`,
    [id, account],
  );
  await made.client.query(
    `insert into oauth_refresh_tokens (token_hash, grant_id, expires_at)
     values (sha256($1::text::bytea), $1::uuid, now() + interval '1 day')`,
    [id],
  );
  return id;
}

describe("GET /agents", () => {
  test("200: keys and connected apps, those in use first, with the figures of the period", async () => {
    const owner = await aPerson(made);
    const revoked = await owner.key();
    await send("DELETE", `/user-api-keys/${revoked.id}`, owner.jwt);
    const grant = await aGrant(owner);
    await verify(await propose(owner));
    await propose(owner);
    const old = await propose(owner);
    await made.client.query("update transactions set created_at = now() - interval '31 days' where id = $1", [
      old.id,
    ]);
    const listed = (await send("GET", "/agents", owner.jwt)).json<readonly Shown[]>();
    expect(listed.map(({ agent, status }) => [agent, status])).toEqual([
      [`oauth:${grant}`, "ACTIVE"],
      [`key:${owner.agent.id}`, "ACTIVE"],
      [`key:${revoked.id}`, "REVOKED"],
    ]);
    expect(listed[1]?.figures).toMatchObject({ proposals: 2, matches: 1, undecided: 0, differs: 0 });
    const longer = (await send("GET", "/agents?days=90", owner.jwt)).json<readonly Shown[]>();
    expect(longer[1]?.figures).toMatchObject({ proposals: 3 });
  });
  test("200: with a signed request", async () => {
    const owner = await aPerson(made);
    expect((await send("GET", "/agents", await owner.sign("GET", "/agents"))).statusCode).toBe(200);
  });
  test("200: nothing of another account", async () => {
    const [owner, other] = [await aPerson(made), await aPerson(made)];
    await verify(await propose(owner));
    const listed = (await send("GET", "/agents", other.jwt)).json<readonly Shown[]>();
    expect(listed.map(({ agent }) => agent)).toEqual([`key:${other.agent.id}`]);
    expect(listed[0]?.figures).toMatchObject({ proposals: 0 });
  });
  test("400: for a period that is not allowed", async () => {
    const owner = await aPerson(made);
    for (const days of ["0", "91", "x"])
      expect((await send("GET", `/agents?days=${days}`, owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    const owner = await aPerson(made);
    for (const headers of [{}, owner.agent.headers])
      expect((await send("GET", "/agents", headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/agents")).toBe(429);
  });
});

describe("GET /agents/{kind}/{id}", () => {
  test("200: amounts that left in final transactions, per day and approval", async () => {
    const owner = await aPerson(made);
    await aMandate(made.api, owner);
    const paid = await verify(await propose(owner));
    await verify(await propose(owner));
    expect((await read(owner)).spending).toEqual([]);
    await made.store.change({ id: paid.id }, () => ({ events: ["seeSuccess", "finalize"] }));
    const { spending, figures, uncounted } = await read(owner);
    expect(spending).toEqual([
      {
        day: new Date().toISOString().slice(0, 10),
        ...{ by: "mandate", asset: `eip155:11155111/erc20:${usdc}`, symbol: "USDC", decimals: 6 },
        ...{ units: "5000000", count: 1 },
      },
    ]);
    expect(figures).toMatchObject({ proposals: 2, matches: 2, byMandate: 2, executed: 1 });
    expect(uncounted).toBe(0);
  });
  test("400: for a malformed kind, id or period", async () => {
    const owner = await aPerson(made);
    for (const url of [`/agents/jwt/${owner.agent.id}`, "/agents/key/1", `${urlOf(owner)}?days=0`])
      expect((await send("GET", url, owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential, and with the agent's own key", async () => {
    const owner = await aPerson(made);
    for (const headers of [{}, owner.agent.headers])
      expect((await send("GET", urlOf(owner), headers)).statusCode).toBe(401);
  });
  test("404: unknown, another account's, and a key as a connected app", async () => {
    const [owner, other] = [await aPerson(made), await aPerson(made)];
    for (const url of [`/agents/key/${randomUUID()}`, urlOf(other), `/agents/oauth/${owner.agent.id}`])
      expect((await send("GET", url, owner.jwt)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", `/agents/key/${randomUUID()}`)).toBe(429);
  });
});

const pause = (owner: Person, headers: Headers = owner.jwt) => send("PUT", `${urlOf(owner)}/pause`, headers);
const resume = (owner: Person, headers: Headers = owner.jwt) =>
  send("DELETE", `${urlOf(owner)}/pause`, headers);
const proposeOverHttp = (owner: Person, headers: Headers = owner.agent.headers, more: Headers = {}) =>
  made.api.http.send({
    method: "POST",
    url: "/transactions",
    headers: { ...headers, ...more },
    payload: aProposal(owner.wallet.address),
  });

describe("PUT /agents/{kind}/{id}/pause", () => {
  test("200: the agent cannot propose, other agents and the owner can, and pausing again has no effect", async () => {
    const owner = await aPerson(made);
    const other = await owner.key();
    const first = await pause(owner);
    expect(first.json()).toMatchObject({ status: "PAUSED", pausedAt: expect.any(String) as string });
    expect((await pause(owner)).json()).toEqual(first.json());
    const refused = await proposeOverHttp(owner);
    expect([refused.statusCode, refused.headers["x-error-code"]]).toEqual([403, "transactions.agent-paused"]);
    for (const headers of [other.headers, owner.jwt])
      expect((await proposeOverHttp(owner, headers)).statusCode).toBe(201);
  });
  test("200: a proposal that was accepted before is still answered with its record", async () => {
    const owner = await aPerson(made);
    const key = { "idempotency-key": randomUUID() };
    const payload = aProposal(owner.wallet.address);
    const ask = () =>
      made.api.http.send({
        ...{ method: "POST", url: "/transactions", payload },
        headers: { ...owner.agent.headers, ...key },
      });
    const before = await ask();
    await pause(owner);
    expect((await ask()).json()).toEqual(before.json());
  });
  test("200: the owner is asked about what the agent proposed before", async () => {
    const owner = await aPerson(made);
    await aMandate(made.api, owner);
    const proposed = await propose(owner);
    await pause(owner);
    expect(await verify(proposed)).toMatchObject({
      ...{ phase: "AWAITING", granted: false, mandateId: null },
      needsOwner: { code: "AGENT_PAUSED" },
    });
  });
  test("400: for a malformed id", async () => {
    const owner = await aPerson(made);
    expect((await send("PUT", "/agents/key/1/pause", owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential, and with the agent's own key", async () => {
    const owner = await aPerson(made);
    for (const headers of [{}, owner.agent.headers])
      expect((await pause(owner, headers)).statusCode).toBe(401);
  });
  test("404: another account's agent, which goes on", async () => {
    const [owner, other] = [await aPerson(made), await aPerson(made)];
    expect((await pause(owner, other.jwt)).statusCode).toBe(404);
    expect((await read(owner)).status).toBe("ACTIVE");
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("PUT", `/agents/key/${randomUUID()}/pause`)).toBe(429);
  });
});

describe("DELETE /agents/{kind}/{id}/pause", () => {
  test("200: the agent can propose again and its mandate counts", async () => {
    const owner = await aPerson(made);
    await aMandate(made.api, owner);
    await pause(owner);
    expect((await resume(owner)).json()).toMatchObject({ status: "ACTIVE", pausedAt: null });
    expect((await proposeOverHttp(owner)).statusCode).toBe(201);
    expect(await verify(await propose(owner))).toMatchObject({ phase: "READY", granted: true });
  });
  test("400: for a malformed id", async () => {
    const owner = await aPerson(made);
    expect((await send("DELETE", "/agents/key/1/pause", owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential, and with the agent's own key", async () => {
    const owner = await aPerson(made);
    await pause(owner);
    for (const headers of [{}, owner.agent.headers])
      expect((await resume(owner, headers)).statusCode).toBe(401);
    expect((await read(owner)).status).toBe("PAUSED");
  });
  test("404: another account's agent, which stays paused", async () => {
    const [owner, other] = [await aPerson(made), await aPerson(made)];
    await pause(owner);
    expect((await resume(owner, other.jwt)).statusCode).toBe(404);
    expect((await read(owner)).status).toBe("PAUSED");
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("DELETE", `/agents/key/${randomUUID()}/pause`)).toBe(429);
  });
});
