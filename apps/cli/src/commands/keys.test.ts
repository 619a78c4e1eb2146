import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";
import { readExpiry } from "./keys.ts";

const key = {
  ...{ id: "11111111-1111-4111-8111-111111111111", name: "my \u001B[31magent", type: "agent", scopes: [] },
  ...{ active: true, expiresAt: null, createdAt: "2026-11-15T10:00:00.000Z" },
};

async function asOwner(routes: Readonly<Record<string, Reply>>) {
  const service = await aService(routes);
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  return { service, configDirectory };
}

test("create prints only the secret on stdout", async () => {
  const { service, configDirectory } = await asOwner({
    "POST /user-api-keys": { status: 201, body: { apiKey: key, secret: "cs_secret" } },
  });
  const ran = await run(["keys", "create", "my agent", "--expires", "2999-01-01"], { configDirectory });
  expect(ran).toMatchObject({ code: 0, stdout: "cs_secret\n" });
  expect(ran.stderr).toContain("won't be shown again");
  expect(service.asked[0]?.body).toEqual({ name: "my agent", expiresAt: "2999-01-01T00:00:00.000Z" });
  const json = await run(["keys", "create", "my agent", "--json"], { configDirectory });
  expect(JSON.parse(json.stdout)).toEqual({ apiKey: key, secret: "cs_secret" });
});

test("list shows keys, with names that cannot control the terminal", async () => {
  const listed = { ...key, label: "x", prefix: "cs_agent_ab", lastUsedAt: null };
  const { configDirectory } = await asOwner({ "GET /user-api-keys": { body: [listed] } });
  const ran = await run("keys list", { configDirectory });
  expect(ran.stdout).toContain("my <U+001B>[31magent");
  expect(ran.stdout).toContain("cs_agent_ab…");
  expect(JSON.parse((await run("keys list --json", { configDirectory })).stdout)).toEqual({ keys: [listed] });
});

test("revoke asks first", async () => {
  const { service, configDirectory } = await asOwner({
    [`DELETE /user-api-keys/${key.id}`]: { body: { success: true } },
  });
  const kept = await run(`keys revoke ${key.id}`, { configDirectory, isTerminal: true, answers: [false] });
  expect(kept.code).toBe(4);
  expect(service.asked).toHaveLength(0);
  expect((await run(`keys revoke ${key.id} --yes`, { configDirectory })).code).toBe(0);
  expect(service.asked).toHaveLength(1);
});

test("rejects an ID that would change the URL path", async () => {
  const { service, configDirectory } = await asOwner({});
  expect((await run("keys revoke ../auth/sessions --yes", { configDirectory })).code).toBe(2);
  expect(service.asked).toHaveLength(0);
});

test("requires the owner, not an agent's key", async () => {
  const env = { COUNTERSIGN_URL: "http://127.0.0.1:9", COUNTERSIGN_API_KEY: "k" };
  const ran = await run("keys list", { env });
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("→ countersign login --wallet");
});

test("signs in an owner who has a wallet", async () => {
  const session = { accessToken: "access", refreshToken: "refresh" };
  const service = await aService({
    "POST /auth/siwe/nonce": { body: { nonce: "0123456789abcdef" } },
    "POST /auth/siwe/verify": { body: session },
    "GET /user-api-keys": { body: [] },
  });
  const configDirectory = await emptyDirectory();
  const profiles = makeProfiles(configDirectory);
  await profiles.change("mine", () => ({ url: service.url }));
  const env = { COUNTERSIGN_WALLET_KEY: "12".repeat(32) };
  expect((await run("keys list", { configDirectory, env })).code).toBe(0);
  expect((await profiles.read()).profiles["mine"]?.session).toEqual(session);
});

test("accepts a duration or a future date as expiry", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  expect(readExpiry("30d", now).toISOString()).toBe("2026-12-15T12:00:00.000Z");
  expect(readExpiry("12h", now).toISOString()).toBe("2026-11-16T00:00:00.000Z");
  expect(readExpiry("2027-01-31", now).toISOString()).toBe("2027-01-31T00:00:00.000Z");
  for (const text of ["", "30", "d", "1y", "tomorrow", "2027-13-45", "-1d", "0d", "2020-01-01"])
    expect(() => readExpiry(text, now)).toThrow("--expires");
});
