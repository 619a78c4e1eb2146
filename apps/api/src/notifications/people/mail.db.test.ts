import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aMailServer, type MailServer } from "../../../../../tools/stand-ins/mail/stand-in.ts";
import { aNotifyApi, type NotifyApi } from "../../../test/notifications.ts";
import { exceedLimit } from "../../../test/test-api.ts";
import { aPerson, aTransaction, registered, type Person } from "../../../test/transactions/decide-api.ts";

let made: NotifyApi;
let mails: MailServer;
let owner: Person;
let other: Person;
beforeAll(async () => {
  mails = await aMailServer();
  made = await aNotifyApi({ smtpUrl: mails.url });
});
afterAll(async () => {
  await made.close();
  await mails.close();
});
beforeEach(async () => {
  [owner, other] = [await aPerson(made), await aPerson(made)];
  await made.retireChannels();
  mails.received.length = 0;
  mails.answer = "accept";
});

type Headers = Record<string, string>;
type Channel = { readonly id: string; readonly confirmed: boolean };
const send = (method: string, url: string, payload?: object, headers: Headers = owner.jwt) =>
  made.api.http.send({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const outcome = (answer: Awaited<ReturnType<typeof send>>) => [
  answer.statusCode,
  answer.headers["x-error-code"],
];
const anAddress = (): string => `${randomUUID()}@example.org`;
const aChannel = async (address = anAddress(), more: object = { events: [] }): Promise<Channel> =>
  (await send("POST", "/channels", { kind: "email", address, ...more })).json<Channel>();
const codeIn = (index: number): string => /\b\d{8}\b/.exec(mails.received[index]?.plain ?? "")?.[0] ?? "";
const otherCode = (code: string): string => String((Number(code) + 1) % 10 ** 8).padStart(8, "0");
const confirm = (id: string, code: string, headers: Headers = owner.jwt) =>
  send("POST", `/channels/${id}/confirm`, { code }, headers);
async function aConfirmed(address = anAddress(), more?: object): Promise<Channel> {
  const channel = await aChannel(address, more);
  await send("POST", `/channels/${channel.id}/code`);
  const confirmed = await confirm(channel.id, codeIn(0));
  mails.received.length = 0;
  return confirmed.json<Channel>();
}
/** Makes the codes two minutes older, so that others may be sent. */
const ageCodes = () =>
  sql`update notification_channels set code_until = code_until - interval '2 minutes'
  where code_until is not null`.execute(made.db);

describe("POST /channels with an e-mail address", () => {
  test("201: creates it unconfirmed and mails nothing", async () => {
    const address = anAddress();
    const answer = await send("POST", "/channels", { kind: "email", address });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ kind: "email", target: address, confirmed: false, active: true });
    expect(mails.received).toEqual([]);
  });
  test.each([
    "alice",
    "alice@example.org, eve@evil.example",
    "Alice <alice@example.org>",
    "alice@example.org\r\nBcc: eve@evil.example",
    `${"a".repeat(250)}@example.org`,
    "",
  ])("400: %j is not one address", async (address) => {
    expect((await send("POST", "/channels", { kind: "email", address })).statusCode).toBe(400);
  });
  test("503: the operator has configured no mail server", async () => {
    const without = await aNotifyApi();
    try {
      const person = await aPerson(without);
      const answer = await without.api.http.send({
        ...{ method: "POST", url: "/channels", headers: person.jwt },
        payload: { kind: "email", address: anAddress() },
      });
      expect(outcome(answer)).toEqual([503, "channels.mail-unavailable"]);
      const kinds = await without.api.http.send({ url: "/channel-kinds", headers: person.jwt });
      expect(kinds.json()).toContainEqual({ kind: "email", available: false, publicKey: null });
    } finally {
      await without.close();
    }
  });
});

describe("GET /channel-kinds", () => {
  test("200: the kinds, and whether each is available", async () => {
    const answer = await send("GET", "/channel-kinds");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(
      ["slack", "discord", "telegram", "email", "push"].map((kind) => ({
        ...{ kind, available: kind !== "push", publicKey: null },
      })),
    );
  });
  test("401: without a credential, and with an agent's key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await send("GET", "/channel-kinds", undefined, headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(made.api, { method: "GET", url: "/channel-kinds" })).toBe(429);
  });
});

describe("POST /channels/{id}/code", () => {
  const sendCode = (id: string, headers: Headers = owner.jwt) =>
    send("POST", `/channels/${id}/code`, undefined, headers);
  test("202: mails a code to the address, and nothing of the account", async () => {
    const address = anAddress();
    const { id } = await aChannel(address, { description: "Visit evil.example" });
    const answer = await sendCode(id);
    expect([answer.statusCode, answer.json<Channel>().confirmed]).toEqual([202, false]);
    expect(mails.received).toMatchObject([{ to: [address], from: "notify@app.example" }]);
    expect(codeIn(0)).toMatch(/^\d{8}$/);
    expect(answer.body).not.toContain(codeIn(0));
    expect(mails.received[0]?.raw).not.toMatch(/evil|https?:/);
  });
  test("202: another code ends the first", async () => {
    const { id } = await aChannel();
    await sendCode(id);
    await ageCodes();
    expect((await sendCode(id)).statusCode).toBe(202);
    expect(outcome(await confirm(id, codeIn(0)))).toEqual([400, "channels.wrong-code"]);
    expect((await confirm(id, codeIn(1))).statusCode).toBe(200);
  });
  test("400: a malformed id", async () => {
    expect((await sendCode("1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await sendCode(randomUUID(), headers)).statusCode).toBe(401);
  });
  test("404: an unknown one, and another owner's", async () => {
    const { id } = await aChannel();
    expect(outcome(await sendCode(randomUUID()))).toEqual([404, "channels.not-found"]);
    expect(outcome(await sendCode(id, other.jwt))).toEqual([404, "channels.not-found"]);
    expect(mails.received).toEqual([]);
  });
  test("409: a second code within a minute", async () => {
    const { id } = await aChannel();
    await sendCode(id);
    expect(outcome(await sendCode(id))).toEqual([409, "channels.too-many-codes"]);
    expect(mails.received).toHaveLength(1);
  });
  test("409: a fourth code to one address within an hour, also from several accounts at once", async () => {
    const address = anAddress();
    const people = await Promise.all(Array.from({ length: 5 }, () => aPerson(made)));
    const answers = await Promise.all(
      people.map(async ({ jwt }) => {
        const payload = { kind: "email", address: address.toUpperCase() };
        const { id } = (await send("POST", "/channels", payload, jwt)).json<Channel>();
        return sendCode(id, jwt);
      }),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([202, 202, 202, 409, 409]);
  });
  test("409: the address is confirmed, and a chat needs no code", async () => {
    const { id } = await aConfirmed();
    expect(outcome(await sendCode(id))).toEqual([409, "channels.already-confirmed"]);
  });
  test("429: a fourth request of an address within a minute", async () => {
    const without = await aNotifyApi();
    try {
      const request = { method: "POST", url: `/channels/${randomUUID()}/code` } as const;
      expect(await exceedLimit(without.api, request, 3)).toBe(429);
    } finally {
      await without.close();
    }
  });
  test("503: the mail server refuses the mail", async () => {
    const { id } = await aChannel();
    mails.answer = 451;
    expect(outcome(await sendCode(id))).toEqual([503, "channels.mail-failed"]);
  });
});

describe("POST /channels/{id}/confirm", () => {
  test("200: the right code confirms the address, once", async () => {
    const { id } = await aChannel();
    await send("POST", `/channels/${id}/code`);
    const answer = await confirm(id, codeIn(0));
    expect([answer.statusCode, answer.json<Channel>().confirmed]).toEqual([200, true]);
    expect(outcome(await confirm(id, codeIn(0)))).toEqual([409, "channels.already-confirmed"]);
  });
  test("400: another code, and text that is no code", async () => {
    const { id } = await aChannel();
    await send("POST", `/channels/${id}/code`);
    expect(outcome(await confirm(id, otherCode(codeIn(0))))).toEqual([400, "channels.wrong-code"]);
    expect((await confirm(id, "1234")).statusCode).toBe(400);
  });
  test("400: the code of another channel", async () => {
    const [mine, theirs] = [await aChannel(), await aChannel()];
    for (const { id } of [mine, theirs]) await send("POST", `/channels/${id}/code`);
    expect(outcome(await confirm(mine.id, codeIn(1)))).toEqual([400, "channels.wrong-code"]);
  });
  test("401: without a credential, and with an agent's key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await confirm(randomUUID(), "12345678", headers)).statusCode).toBe(401);
  });
  test("404: an unknown one, and another owner's, also with the right code", async () => {
    const { id } = await aChannel();
    await send("POST", `/channels/${id}/code`);
    expect(outcome(await confirm(randomUUID(), codeIn(0)))).toEqual([404, "channels.not-found"]);
    expect(outcome(await confirm(id, codeIn(0), other.jwt))).toEqual([404, "channels.not-found"]);
  });
  test("409: after an hour, before a code was sent, and after five wrong ones even with the right one", async () => {
    const { id } = await aChannel();
    expect(outcome(await confirm(id, "12345678"))).toEqual([409, "channels.code-expired"]);
    await send("POST", `/channels/${id}/code`);
    for (let attempt = 1; attempt <= 5; attempt++) await confirm(id, otherCode(codeIn(0)));
    expect(outcome(await confirm(id, codeIn(0)))).toEqual([409, "channels.code-expired"]);
    const late = await aChannel();
    await send("POST", `/channels/${late.id}/code`);
    await sql`update notification_channels set code_until = now() where id = ${late.id}`.execute(made.db);
    expect(outcome(await confirm(late.id, codeIn(1)))).toEqual([409, "channels.code-expired"]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    const request = { method: "POST", url: `/channels/${randomUUID()}/confirm` } as const;
    expect(await exceedLimit(made.api, request)).toBe(429);
  });
});

describe("POST /channels/{id}/test with an e-mail address", () => {
  test("409: mails nothing to an address that is not confirmed", async () => {
    const { id } = await aChannel();
    expect(outcome(await send("POST", `/channels/${id}/test`))).toEqual([409, "channels.not-confirmed"]);
    expect(mails.received).toEqual([]);
  });
  test("200: mails a test to a confirmed one", async () => {
    const { id } = await aConfirmed();
    expect((await send("POST", `/channels/${id}/test`)).json()).toMatchObject({
      ...{ status: "DELIVERED", answerStatus: 250 },
    });
    expect(mails.received[0]?.plain).toContain("Test message");
  });
});

describe("delivery", () => {
  test("mails nothing about changes from before the address was confirmed", async () => {
    const { id } = await aChannel();
    await aTransaction(made, owner);
    await made.deliverAll();
    await send("POST", `/channels/${id}/code`);
    await confirm(id, codeIn(0));
    await made.deliverAll();
    expect(mails.received).toHaveLength(1);
  });

  test("mails each change with the effect, the agent and the page, as one thread", async () => {
    await aConfirmed();
    const hostile = '<b>"Bot"</b>\r\nBcc: eve@evil.example';
    await sql`update api_keys set name = ${hostile} where id = ${owner.agent.id}`.execute(made.db);
    const proposer = `key:${owner.agent.id}`;
    const { requestHash } = await aTransaction(made, owner, { proposer, after: registered });
    await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
    await made.deliverAll();
    expect(mails.received).toHaveLength(3);
    const last = mails.received[2];
    const subject = last?.headers.get("subject")?.[0] ?? "";
    expect(subject).toContain("Needs your decision");
    expect(last?.headers.has("bcc")).toBe(false);
    expect(last?.headers.get("references")).toEqual([`<${requestHash}@app.example>`]);
    expect(last?.plain).toContain(`Send 0.001 ETH to 0x${"11".repeat(20)} on Sepolia`);
    expect(last?.plain).toContain(`https://app.example/transactions/${requestHash}`);
    expect(last?.html).toContain("&lt;b&gt;&quot;Bot&quot;&lt;/b&gt; Bcc: eve@evil.example");
    expect(last?.html).not.toContain("<b>");
  });

  test("sends a failed mail again under the same id, and deactivates a mailbox that does not exist", async () => {
    const { id } = await aConfirmed();
    await aTransaction(made, owner);
    mails.answer = 451;
    await made.deliverAll();
    expect((await send("GET", `/channels/${id}`)).json()).toMatchObject({
      health: { status: "FAILING", pending: 1, lastError: "Answered 451" },
    });
    mails.answer = "accept";
    await made.skipPauses();
    await made.deliverAll();
    const { deliveries } = (await send("GET", `/channels/${id}/deliveries`)).json<{
      deliveries: { messageId: string }[];
    }>();
    expect(mails.received[0]?.headers.get("message-id")).toEqual([
      `<${deliveries[0]?.messageId ?? ""}@app.example>`,
    ]);
    mails.answer = 550;
    await aTransaction(made, owner);
    await made.deliverAll();
    expect((await send("GET", `/channels/${id}`)).json()).toMatchObject({
      ...{ active: false, disabledReason: "The receiver answered 550" },
    });
  });
});
