import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startChatStandIn, type ChatStandIn } from "../../../../../tools/stand-ins/chat/stand-in.ts";
import { chatAddresses } from "../../../test/channels.ts";
import { aNotifyApi, type NotifyApi } from "../../../test/notifications.ts";
import { aPerson, aTransaction, registered, type Person } from "../../../test/transactions/decide-api.ts";

let made: NotifyApi;
let chat: ChatStandIn;
let owner: Person;
/** The controlled clock. Messages are queued now, so its days are in the future. */
let now: Date;
const day = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const nextDay = new Date(Date.now() + 4 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const at = (time: string, date = day): Date => new Date(`${date}T${time}:00Z`);
beforeAll(async () => {
  chat = await startChatStandIn();
  made = await aNotifyApi({ chatUrl: chat.url, clock: { now: () => now } });
});
afterAll(async () => {
  await made.close();
  await chat.close();
});
beforeEach(async () => {
  now = at("12:00");
  owner = await aPerson(made);
  await made.retireChannels();
  chat.received.length = 0;
  chat.behave("good");
});

type Channel = { readonly id: string; readonly health: Readonly<Record<string, unknown>> };
const send = (method: string, url: string, payload?: object) =>
  made.api.http.send({ method, url, headers: owner.jwt, ...(payload === undefined ? {} : { payload }) });
async function aChannel(more: object): Promise<Channel> {
  const { secret: _, ...address } = chatAddresses.telegram();
  return (await send("POST", "/channels", { ...address, events: [], ...more })).json<Channel>();
}
const nights = { quietHours: { from: "22:00", until: "07:00" } };
const textOf = (index: number): string => String(chat.received[index]?.body["text"]);
const view = async ({ id }: Channel) => (await send("GET", `/channels/${id}`)).json<Channel>();
const deliveriesOf = async ({ id }: Channel) =>
  (await send("GET", `/channels/${id}/deliveries`)).json<{ deliveries: { status: string }[] }>().deliveries;
/** Moves the clock, and ends the pauses that it has reached. */
async function moveTo(time: Date): Promise<void> {
  now = time;
  await sql`update notification_channels set due_at = now() where due_at <= ${time}`.execute(made.db);
  await made.deliverAll();
}
/** The deadlines of test transactions are an hour from now. */
const expiring = (deadline: Date) => ({ deadline, after: registered });

describe("quiet hours", () => {
  test("hold messages back until their end, and send them as one", async () => {
    const channel = await aChannel(nights);
    now = at("23:00");
    const hashes = [
      (await aTransaction(made, owner)).requestHash,
      (await aTransaction(made, owner)).requestHash,
    ];
    await made.deliverAll();
    expect(chat.received).toEqual([]);
    expect((await view(channel)).health).toMatchObject({
      ...{ status: "HEALTHY", pending: 2, nextAttemptAt: at("07:00", nextDay).toISOString() },
    });
    await moveTo(at("06:59", nextDay));
    expect(chat.received).toEqual([]);
    await moveTo(at("07:00", nextDay));
    expect(chat.received).toHaveLength(1);
    expect(textOf(0)).toContain("2 transactions changed");
    expect(hashes).toHaveLength(2);
    expect(await deliveriesOf(channel)).toMatchObject([{ status: "DELIVERED" }, { status: "DELIVERED" }]);
  });

  test("let a decision through that would expire before their end, with earlier messages", async () => {
    await aChannel(nights);
    now = at("23:00");
    await aTransaction(made, owner);
    await made.deliverAll();
    expect(chat.received).toEqual([]);
    const { requestHash } = await aTransaction(made, owner, expiring(at("03:00", nextDay)));
    await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
    await made.deliverAll();
    expect(chat.received).toHaveLength(1);
    expect(textOf(0)).toContain("Needs your decision, and 1 more");
  });

  test("hold back a decision that can wait", async () => {
    await aChannel(nights);
    now = at("23:00");
    const { requestHash } = await aTransaction(made, owner, expiring(at("12:00", nextDay)));
    await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
    await made.deliverAll();
    expect(chat.received).toEqual([]);
    await moveTo(at("07:00", nextDay));
    expect(chat.received).toHaveLength(1);
    expect(textOf(0)).toContain("Needs your decision");
    expect(textOf(0)).toContain(requestHash);
  });

  test("end for the channel when its owner removes them", async () => {
    const { id } = await aChannel(nights);
    now = at("23:00");
    await aTransaction(made, owner);
    await made.deliverAll();
    const changed = await send("PATCH", `/channels/${id}`, { quietHours: null });
    expect(changed.json()).toMatchObject({ quietHours: null });
    await made.deliverAll();
    expect(chat.received).toHaveLength(1);
  });

  test("do not hold back a test", async () => {
    const { id } = await aChannel(nights);
    now = at("23:00");
    expect((await send("POST", `/channels/${id}/test`)).json()).toMatchObject({ status: "DELIVERED" });
  });
});

describe("a digest", () => {
  /** As if the messages had been queued at that time of the controlled clock. */
  const queueAt = async (time: Date): Promise<void> => {
    await made.settle();
    while ((await made.queue.queueNext(100)) > 0);
    await sql`update notifications set created_at = ${time} where status = 'pending'
      and created_at < ${at("00:00")}`.execute(made.db);
    now = time;
    await made.deliverAll();
  };

  test("sends the messages of an hour as one, and the next hour's with the next", async () => {
    await aChannel({ digest: "hourly" });
    await aTransaction(made, owner);
    await queueAt(at("10:10"));
    await aTransaction(made, owner);
    await queueAt(at("10:50"));
    expect(chat.received).toEqual([]);
    await moveTo(at("11:00"));
    expect(chat.received).toHaveLength(1);
    expect(textOf(0)).toContain("2 transactions changed");
    await aTransaction(made, owner);
    await queueAt(at("11:05"));
    expect(chat.received).toHaveLength(1);
    await moveTo(at("12:00"));
    expect(chat.received).toHaveLength(2);
  });

  test("names a transaction once, with its last change", async () => {
    await aChannel({ digest: "daily", timeZone: "Europe/Zurich" });
    const { requestHash } = await aTransaction(made, owner);
    await made.store.change({ requestHash }, () => ({ events: ["userRejects"] }));
    await queueAt(at("10:10"));
    await moveTo(at("07:00", nextDay));
    expect(chat.received).toHaveLength(1);
    expect(textOf(0)).toMatch(/^Rejected\n/);
  });

  test("is sent again with the same messages and the same id, although more have come", async () => {
    const channel = await aChannel({ digest: "hourly" });
    await aTransaction(made, owner);
    await aTransaction(made, owner);
    await queueAt(at("10:10"));
    chat.behave("fails");
    await moveTo(at("11:00"));
    await aTransaction(made, owner);
    await queueAt(at("11:01"));
    chat.behave("good");
    await moveTo(at("11:02"));
    const [first, again] = chat.received;
    expect(chat.received).toHaveLength(2);
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body]);
    expect((await deliveriesOf(channel)).map(({ status }) => status)).toEqual([
      ...["PENDING", "DELIVERED", "DELIVERED"],
    ]);
    await moveTo(at("12:00"));
    expect(chat.received).toHaveLength(3);
  });

  test("a message of it can be delivered again, alone", async () => {
    const { id } = await aChannel({ digest: "hourly" });
    await aTransaction(made, owner);
    const { requestHash } = await aTransaction(made, owner);
    await queueAt(at("10:10"));
    await moveTo(at("11:00"));
    const list = await send("GET", `/channels/${id}/deliveries`);
    const [delivery] = list.json<{ deliveries: { id: string; requestHash: string }[] }>().deliveries;
    expect(delivery?.requestHash).toBe(requestHash);
    await send("POST", `/channels/${id}/deliveries/${delivery?.id ?? ""}/redeliver`);
    await made.deliverAll();
    expect(chat.received).toHaveLength(2);
    expect(textOf(1)).toContain(requestHash);
  });
});

describe("preferences", () => {
  test("are stored and returned, and a change keeps the others", async () => {
    const chosen = { ...nights, timeZone: "Asia/Kolkata", digest: "daily" };
    const channel = await aChannel(chosen);
    expect(channel).toMatchObject(chosen);
    const changed = await send("PATCH", `/channels/${channel.id}`, { digest: null });
    expect(changed.json()).toMatchObject({ ...chosen, digest: null });
    const moved = await send("PATCH", `/channels/${channel.id}`, {
      quietHours: { from: "00:15", until: "05:45" },
    });
    expect(moved.json()).toMatchObject({ quietHours: { from: "00:15", until: "05:45" }, digest: null });
  });

  test.each([
    { quietHours: { from: "24:00", until: "07:00" } },
    { quietHours: { from: "22:00", until: "22:00" } },
    { quietHours: { from: "22:00" } },
    { timeZone: "Mars/Olympus" },
    { timeZone: "" },
    { digest: "weekly" },
  ])("are refused if malformed: %j", async (more) => {
    const { secret: _, ...address } = chatAddresses.slack();
    expect((await send("POST", "/channels", { ...address, ...more })).statusCode).toBe(400);
    const { id } = await aChannel({});
    expect((await send("PATCH", `/channels/${id}`, more)).statusCode).toBe(400);
  });
});
