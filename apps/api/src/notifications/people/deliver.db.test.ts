import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startChatStandIn, type ChatStandIn } from "../../../../../tools/stand-ins/chat/stand-in.ts";
import { chatAddresses, chatKinds, type ChatKind } from "../../../test/channels.ts";
import { aNotifyApi, type NotifyApi } from "../../../test/notifications.ts";
import {
  aPerson,
  aReport,
  aTransaction,
  registered,
  type Person,
} from "../../../test/transactions/decide-api.ts";

let made: NotifyApi;
let chat: ChatStandIn;
let owner: Person;
beforeAll(async () => {
  chat = await startChatStandIn();
  made = await aNotifyApi({ chatUrl: chat.url });
});
afterAll(async () => {
  await made.close();
  await chat.close();
});
beforeEach(async () => {
  owner = await aPerson(made);
  await made.retireChannels();
  chat.received.length = 0;
  chat.behave("good");
});

type View = {
  readonly id: string;
  readonly active: boolean;
  readonly health: Readonly<Record<string, unknown>>;
};
async function aChannel(kind: ChatKind, more: object = { events: [] }) {
  const { secret, ...address } = chatAddresses[kind]();
  const answer = await made.api.http.send({
    ...{ method: "POST", url: "/channels", headers: owner.jwt },
    payload: { ...address, ...more },
  });
  return { ...answer.json<View>(), secret };
}
const read = async (path: string) =>
  (await made.api.http.send({ method: "GET", url: path, headers: owner.jwt })).json<never>();
const view = ({ id }: View): Promise<View> => read(`/channels/${id}`);
const deliveriesOf = async ({ id }: View) =>
  ((await read(`/channels/${id}/deliveries`)) as { deliveries: { id: string; status: string }[] }).deliveries;
const textOf = (index: number): string => JSON.stringify(chat.received[index]?.body);

describe.each(chatKinds)("%s", (kind) => {
  test("delivers each change in order, with the effect, the agent and the page", async () => {
    const channel = await aChannel(kind);
    await sql`update api_keys set name = 'Treasury <bot>' where id = ${owner.agent.id}`.execute(made.db);
    const { requestHash } = await aTransaction(made, owner, {
      proposer: `key:${owner.agent.id}`,
      after: registered,
    });
    await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
    await made.deliverAll();
    expect(chat.received.map(({ service }) => service)).toEqual([kind, kind, kind]);
    expect(new Set(chat.received.map(({ id }) => id)).size).toBe(3);
    expect(chat.received[0]?.path).toContain(channel.secret);
    for (const part of [
      "An agent proposed a transaction",
      `Send 0.001 ETH to 0x${"11".repeat(20)} on Sepolia`,
      "Treasury <bot>",
      `https://app.example/transactions/${requestHash}`,
    ])
      expect(textOf(0)).toContain(part);
    expect(textOf(2)).toContain("Needs your decision");
    expect(textOf(2)).toMatch(/Expires \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(await view(channel)).toMatchObject({ health: { status: "HEALTHY", pending: 0 } });
  });

  test("sends a failed message again with the same id and in order, after a pause", async () => {
    const channel = await aChannel(kind);
    await aTransaction(made, owner);
    await aTransaction(made, owner);
    chat.behave("fails");
    await made.deliverAll();
    await made.deliverAll();
    expect(chat.received).toHaveLength(1);
    expect(await view(channel)).toMatchObject({
      health: { status: "FAILING", pending: 2, lastError: "Answered 500" },
    });
    chat.behave("good");
    await made.skipPauses();
    await made.deliverAll();
    const [first, again, second] = chat.received;
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body]);
    expect(second?.id).not.toBe(first?.id);
  });

  test("is deactivated if the address is gone, and its messages can be delivered again", async () => {
    const channel = await aChannel(kind);
    await aTransaction(made, owner);
    chat.behave("gone");
    await made.deliverAll();
    expect(await view(channel)).toMatchObject({ active: false, health: { status: "DISABLED" } });
    const [failed] = await deliveriesOf(channel);
    expect(failed?.status).toBe("FAILED");
    chat.behave("good");
    const headers = owner.jwt;
    await made.api.http.send({
      ...{ method: "PATCH", url: `/channels/${channel.id}`, headers },
      payload: { active: true },
    });
    const url = `/channels/${channel.id}/deliveries/${failed?.id ?? ""}/redeliver`;
    await made.api.http.send({ method: "POST", url, headers });
    await made.deliverAll();
    expect(await deliveriesOf(channel)).toMatchObject([{ id: failed?.id, status: "DELIVERED" }]);
    expect(chat.received.at(-1)?.id).toBe(chat.received[0]?.id);
  });

  test("waits as long as the service asks for", async () => {
    const channel = await aChannel(kind);
    await aTransaction(made, owner);
    chat.behave("limits");
    const before = Date.now();
    await made.deliverAll();
    const { health } = await view(channel);
    // The pause after a first failure is a minute here.
    expect(new Date(String(health["nextAttemptAt"])).getTime() - before).toBeGreaterThan(85_000);
  });

  test("reports a timeout, a redirect and an answer that repeats the address without the address", async () => {
    const channel = await aChannel(kind);
    await aTransaction(made, owner);
    for (const [how, error] of [
      ["slow", "No answer in time"],
      ["redirects", "Answered 307; redirects are not followed"],
      ["leaks", "Answered 400"],
    ] as const) {
      chat.behave(how);
      await made.skipPauses();
      await made.deliverAll();
      expect(await view(channel)).toMatchObject({ health: { lastError: error } });
    }
    const { id } = channel;
    const shown = JSON.stringify([await view(channel), await read(`/channels/${id}/deliveries`)]);
    expect(shown).not.toContain(channel.secret);
  });
});

test("sends to webhooks, chats and other owners' chats only their own messages", async () => {
  const [mine, other] = [await aChannel("slack"), await aPerson(made)];
  await aTransaction(made, other);
  await made.deliverAll();
  expect(chat.received).toEqual([]);
  expect(await view(mine)).toMatchObject({ health: { pending: 0 } });
});

test("names amounts and recipients from the validator's report", async () => {
  await aChannel("telegram", { events: ["transaction.needs_decision"] });
  const { requestHash } = await aTransaction(made, owner, { after: registered });
  const party = `0x${"ab".repeat(20)}`;
  const net = {
    ...{ leaves: [], arrives: [], authority: [], admin: [] },
    others: [{ kind: "token", symbol: "USDC", party, most: "250" }],
  };
  const report = aReport({ context: { limit: null, calls: [], effects: [], net_effect: net } });
  await sql`insert into reports (transaction_id, account, report)
    select id, account, ${JSON.stringify(report)}::jsonb from transactions
    where request_hash = decode(${requestHash.slice(2)}, 'hex')`.execute(made.db);
  await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
  await made.deliverAll();
  expect(textOf(0)).toContain(`Send 250 USDC to ${party} on Sepolia`);
});

test("says nothing about encrypted content", async () => {
  await aChannel("slack");
  await aTransaction(made, owner, { form: "sealed", tx: null, description: "(encrypted by the sender)" });
  await made.deliverAll();
  expect(textOf(0)).toContain("Its content is encrypted");
});

test("never contains the request", async () => {
  for (const kind of chatKinds) await aChannel(kind);
  await aTransaction(made, owner, { description: "Pay the secret supplier" });
  await made.deliverAll();
  expect(chat.received).toHaveLength(3);
  expect(JSON.stringify(chat.received)).not.toContain("secret supplier");
});
