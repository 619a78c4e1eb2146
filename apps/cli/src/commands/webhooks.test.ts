import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const id = "11111111-1111-4111-8111-111111111111";
const health = {
  ...{ status: "FAILING", failures: 2, failingSince: null, lastDeliveredAt: null, lastFailedAt: null },
  ...{ lastError: "Answered 500", pending: 3, nextAttemptAt: null },
};
const webhook = {
  ...{ id, url: "https://receiver.example/hook", description: "a \u001B[31mname", events: [], agents: [] },
  ...{ active: true, disabledReason: null, health, previousSecretUntil: null },
  createdAt: "2026-11-15T10:00:00.000Z",
};
const delivery = {
  ...{
    id,
    messageId: `msg_${id}`,
    type: "webhook.test",
    requestHash: null,
    status: "DELIVERED",
    attempts: 1,
  },
  ...{
    attemptedAt: null,
    answerStatus: 204,
    error: null,
    durationMs: 84,
    createdAt: "2026-11-15T10:00:00.000Z",
  },
};

async function asOwner(routes: Readonly<Record<string, Reply>>) {
  const service = await aService(routes);
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  return { service, configDirectory };
}

test("list shows the health of each webhook", async () => {
  const disabled = { ...webhook, active: false, health: { ...health, status: "DISABLED" } };
  const paused = { ...webhook, active: false, health: { ...health, status: "HEALTHY", lastError: null } };
  const { configDirectory } = await asOwner({ "GET /webhooks": { body: [webhook, disabled, paused] } });
  const { stdout } = await run("webhooks list", { configDirectory });
  expect(stdout).toMatch(/FAILING +3 +Answered 500/);
  expect(stdout).toMatch(/DISABLED/);
  expect(stdout).toMatch(/PAUSED/);
  const none = await asOwner({ "GET /webhooks": { body: [] } });
  expect((await run("webhooks list", none)).stdout).toContain("No webhooks yet");
});

test("create prints the secret alone on stdout", async () => {
  const { service, configDirectory } = await asOwner({
    "POST /webhooks": { status: 201, body: { webhook, secret: "whsec_abc=" } },
  });
  const ran = await run(
    "webhooks create https://receiver.example/hook --events transaction.alert,transaction.failed --description ops",
    { configDirectory },
  );
  expect(ran.stdout).toBe("whsec_abc=\n");
  expect(ran.stderr).toContain("won't be shown again");
  expect(service.asked.at(-1)?.body).toEqual({
    ...{ url: "https://receiver.example/hook", description: "ops" },
    events: ["transaction.alert", "transaction.failed"],
  });
});

test("pause and resume change whether it is active", async () => {
  const { service, configDirectory } = await asOwner({ [`PATCH /webhooks/${id}`]: { body: webhook } });
  expect((await run(`webhooks pause ${id}`, { configDirectory })).stdout).toBe(`Paused ${id}.\n`);
  expect((await run(`webhooks resume ${id}`, { configDirectory })).stdout).toBe(`Resumed ${id}.\n`);
  expect(service.asked.map(({ body }) => body)).toEqual([{ active: false }, { active: true }]);
});

test("rotate prints the new secret, and how long the previous one is used", async () => {
  const rotated = { ...webhook, previousSecretUntil: "2026-11-16T10:00:00.000Z" };
  const { configDirectory } = await asOwner({
    [`POST /webhooks/${id}/rotate-secret`]: { body: { webhook: rotated, secret: "whsec_new=" } },
  });
  const ran = await run(`webhooks rotate ${id}`, { configDirectory });
  expect(ran.stdout).toBe("whsec_new=\n");
  expect(ran.stderr).toContain("2026-11-16T10:00:00.000Z");
});

test("test reports the answer, and fails with the receiver", async () => {
  const { configDirectory } = await asOwner({ [`POST /webhooks/${id}/test`]: { body: delivery } });
  expect(await run(`webhooks test ${id}`, { configDirectory })).toMatchObject({
    ...{ code: 0, stdout: "DELIVERED: answered 204 in 84 ms\n" },
  });
  const failed = { ...delivery, status: "FAILED", answerStatus: null, error: "No answer in time" };
  const failing = await asOwner({ [`POST /webhooks/${id}/test`]: { body: failed } });
  expect(await run(`webhooks test ${id}`, failing)).toMatchObject({
    ...{ code: 4, stdout: "FAILED: No answer in time\n" },
  });
});

test("deliveries lists messages with their results, and redeliver queues one again", async () => {
  const { service, configDirectory } = await asOwner({
    [`GET /webhooks/${id}/deliveries`]: { body: { deliveries: [delivery], next: null } },
    [`POST /webhooks/${id}/deliveries/${id}/redeliver`]: { status: 202, body: delivery },
  });
  expect((await run(`webhooks deliveries ${id}`, { configDirectory })).stdout).toContain(
    "answered 204 in 84 ms",
  );
  await run(`webhooks deliveries ${id} --failed`, { configDirectory });
  expect(service.asked.at(-1)?.query.get("status")).toBe("failed");
  expect((await run(`webhooks redeliver ${id} ${id}`, { configDirectory })).stdout).toBe(
    `Queued msg_${id}.\n`,
  );
});

test("delete asks first", async () => {
  const { service, configDirectory } = await asOwner({
    [`DELETE /webhooks/${id}`]: { body: { id, deleted: true } },
  });
  const kept = await run(`webhooks delete ${id}`, { configDirectory, isTerminal: true, answers: [false] });
  expect(kept).toMatchObject({ code: 4, stdout: "Cancelled.\n" });
  expect(service.asked).toEqual([]);
  expect((await run(`webhooks delete ${id} --yes`, { configDirectory })).stdout).toBe(`Deleted ${id}.\n`);
});

test.each(["pause", "resume", "rotate", "test", "deliveries", "delete"])(
  "%s rejects text that is no ID",
  async (command) => {
    const { configDirectory } = await asOwner({});
    expect((await run(`webhooks ${command} a/../b`, { configDirectory })).code).toBe(2);
  },
);
