import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const id = "11111111-1111-4111-8111-111111111111";
const createdAt = "2026-11-15T10:00:00.000Z";
const health = {
  ...{ status: "FAILING", failures: 2, failingSince: null, lastDeliveredAt: null, lastFailedAt: null },
  ...{ lastError: "Answered 500", pending: 3, nextAttemptAt: null },
};
const channel = {
  ...{ id, kind: "slack", target: "hooks.slack.com/…uvwx", description: "", events: [], agents: [] },
  ...{ active: true, confirmed: true, disabledReason: null, health, createdAt },
};
const delivery = {
  ...{ id, messageId: `msg_${id}`, type: "channel.test", requestHash: null, status: "DELIVERED" },
  ...{ attempts: 1, attemptedAt: null, answerStatus: 200, error: null, durationMs: 84, createdAt },
};

async function asOwner(routes: Readonly<Record<string, Reply>>) {
  const service = await aService(routes);
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  return { service, configDirectory };
}

test("list shows the health of each channel", async () => {
  const { configDirectory } = await asOwner({ "GET /channels": { body: [channel] } });
  const { stdout } = await run("channels list", { configDirectory });
  expect(stdout).toMatch(/slack +hooks\.slack\.com\/…uvwx +FAILING +3 +Answered 500/);
  const none = await asOwner({ "GET /channels": { body: [] } });
  expect((await run("channels list", none)).stdout).toContain("No channels yet");
});

test.each([
  [
    "slack",
    "--events transaction.alert",
    { kind: "slack", url: "the-secret", events: ["transaction.alert"] },
  ],
  ["discord", "--description ops", { kind: "discord", url: "the-secret", description: "ops" }],
  ["telegram", "--chat -100", { kind: "telegram", botToken: "the-secret", chatId: "-100" }],
])("add %s reads the address from stdin and prints the id", async (kind, options, body) => {
  const { service, configDirectory } = await asOwner({ "POST /channels": { status: 201, body: channel } });
  const ran = await run(`channels add ${kind} ${options}`, { configDirectory, stdin: "the-secret\n" });
  expect(ran.stdout).toBe(`${id}\n`);
  expect(service.asked.at(-1)?.body).toEqual(body);
});

test("add asks for the address with hidden input in a terminal", async () => {
  const { service, configDirectory } = await asOwner({ "POST /channels": { status: 201, body: channel } });
  const asked = { configDirectory, isTerminal: true, answers: ["the-secret"] };
  expect((await run("channels add slack", asked)).questions).toEqual(["Incoming webhook"]);
  expect(service.asked.at(-1)?.body).toEqual({ kind: "slack", url: "the-secret" });
});

test("add email mails a code, and confirm confirms the address", async () => {
  const mail = { ...channel, kind: "email", target: "alice@example.org", confirmed: false };
  const { service, configDirectory } = await asOwner({
    "POST /channels": { status: 201, body: mail },
    [`POST /channels/${id}/code`]: { status: 202, body: mail },
    [`POST /channels/${id}/confirm`]: { body: { ...mail, confirmed: true } },
  });
  const ran = await run("channels add email alice@example.org --description me", { configDirectory });
  expect([ran.stdout, ran.stderr]).toEqual([
    `${id}\n`,
    expect.stringContaining(`channels confirm ${id} CODE`),
  ]);
  expect(service.asked[0]?.body).toEqual({ kind: "email", address: "alice@example.org", description: "me" });
  expect((await run(`channels code ${id}`, { configDirectory })).stdout).toContain("alice@example.org");
  expect((await run(`channels confirm ${id} 12345678`, { configDirectory })).stdout).toBe(
    "Confirmed alice@example.org.\n",
  );
  expect(service.asked.at(-1)?.body).toEqual({ code: "12345678" });
});

test("add without an address is wrong usage, and sends nothing", async () => {
  const { service, configDirectory } = await asOwner({});
  expect((await run("channels add slack", { configDirectory, stdin: "" })).code).toBe(2);
  expect((await run("channels add telegram", { configDirectory, stdin: "a" })).code).toBe(2);
  expect(service.asked).toEqual([]);
});

test("pause and resume change whether it is active", async () => {
  const { service, configDirectory } = await asOwner({ [`PATCH /channels/${id}`]: { body: channel } });
  expect((await run(`channels pause ${id}`, { configDirectory })).stdout).toBe(`Paused ${id}.\n`);
  expect((await run(`channels resume ${id}`, { configDirectory })).stdout).toBe(`Resumed ${id}.\n`);
  expect(service.asked.map(({ body }) => body)).toEqual([{ active: false }, { active: true }]);
});

test("set changes when messages are sent", async () => {
  const preferred = {
    ...channel,
    quietHours: { from: "22:00", until: "07:00" },
    timeZone: "UTC",
    digest: null,
  };
  const { service, configDirectory } = await asOwner({ [`PATCH /channels/${id}`]: { body: preferred } });
  const ran = await run(`channels set ${id} --quiet 22:00-07:00 --zone UTC --digest none`, {
    configDirectory,
  });
  expect(ran.stdout).toBe("quiet 22:00 to 07:00, no digest, UTC\n");
  await run(`channels set ${id} --quiet none --digest daily`, { configDirectory });
  expect(service.asked.map(({ body }) => body)).toEqual([
    { quietHours: { from: "22:00", until: "07:00" }, timeZone: "UTC", digest: null },
    { quietHours: null, digest: "daily" },
  ]);
  expect((await run(`channels set ${id} --quiet late`, { configDirectory })).code).toBe(2);
});

test("test reports the answer, and fails with the receiver", async () => {
  const { configDirectory } = await asOwner({ [`POST /channels/${id}/test`]: { body: delivery } });
  expect(await run(`channels test ${id}`, { configDirectory })).toMatchObject({
    ...{ code: 0, stdout: "DELIVERED: answered 200 in 84 ms\n" },
  });
  const failed = { ...delivery, status: "FAILED", answerStatus: null, error: "No answer in time" };
  const failing = await asOwner({ [`POST /channels/${id}/test`]: { body: failed } });
  expect(await run(`channels test ${id}`, failing)).toMatchObject({
    ...{ code: 4, stdout: "FAILED: No answer in time\n" },
  });
});

test("deliveries lists messages with their results, and redeliver queues one again", async () => {
  const { service, configDirectory } = await asOwner({
    [`GET /channels/${id}/deliveries`]: { body: { deliveries: [delivery], next: null } },
    [`POST /channels/${id}/deliveries/${id}/redeliver`]: { status: 202, body: delivery },
  });
  expect((await run(`channels deliveries ${id} --failed`, { configDirectory })).stdout).toContain(
    "answered 200 in 84 ms",
  );
  expect(service.asked.at(-1)?.query.get("status")).toBe("failed");
  expect((await run(`channels redeliver ${id} ${id}`, { configDirectory })).stdout).toBe(
    `Queued msg_${id}.\n`,
  );
});

test("delete asks first", async () => {
  const { service, configDirectory } = await asOwner({
    [`DELETE /channels/${id}`]: { body: { id, deleted: true } },
  });
  const kept = await run(`channels delete ${id}`, { configDirectory, isTerminal: true, answers: [false] });
  expect(kept).toMatchObject({ code: 4, stdout: "Cancelled.\n" });
  expect(service.asked).toEqual([]);
  expect((await run(`channels delete ${id} --yes`, { configDirectory })).stdout).toBe(`Deleted ${id}.\n`);
});

test.each(["pause", "resume", "set", "test", "deliveries", "delete"])(
  "%s rejects text that is no ID",
  async (command) => {
    const { configDirectory } = await asOwner({});
    expect((await run(`channels ${command} a/../b`, { configDirectory })).code).toBe(2);
  },
);
