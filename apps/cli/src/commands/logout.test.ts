import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run } from "../../test/run-cli.ts";

const session = { accessToken: "access", refreshToken: "refresh" };
const trust = { chainId: 1, inbox: `0x${"11".repeat(20)}`, signer: `0x${"22".repeat(20)}` } as const;

async function aProfile(url: string) {
  const configDirectory = await emptyDirectory();
  const profiles = makeProfiles(configDirectory);
  await profiles.change("mine", () => ({ url, apiKey: "k", session, trust, walletKeyFile: "/f" }));
  return { configDirectory, profiles };
}

test("ends the session at the service and forgets the credentials, not the service", async () => {
  const service = await aService({
    "GET /auth/me": { body: { ethereumAddress: trust.inbox } },
    "POST /auth/logout": { status: 204 },
  });
  const { configDirectory, profiles } = await aProfile(service.url);
  const ran = await run("logout --json", { configDirectory });
  expect(JSON.parse(ran.stdout)).toEqual({ profile: "mine", sessionEnded: true });
  expect(ran.stderr).toContain("stays good until its owner revokes it");
  expect(service.asked.at(-1)).toMatchObject({ path: "/auth/logout", body: { refreshToken: "refresh" } });
  expect((await profiles.read()).profiles["mine"]).toEqual({ url: service.url, trust });
});

test("a session that ran out is renewed first, and the newest pair is ended", async () => {
  const next = { accessToken: "new", refreshToken: "next" };
  const service = await aService({
    "GET /auth/me": ({ headers }) =>
      headers.authorization === "Bearer new" ? { body: { ethereumAddress: trust.inbox } } : { status: 401 },
    "POST /auth/refresh": { body: next },
    "POST /auth/logout": { status: 204 },
  });
  const { configDirectory } = await aProfile(service.url);
  await run("logout", { configDirectory });
  expect(service.asked.at(-1)?.body).toEqual({ refreshToken: "next" });
});

test("forgets the credentials even if the service refuses", async () => {
  const service = await aService({});
  const { configDirectory, profiles } = await aProfile(service.url);
  const ran = await run("logout", { configDirectory });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("the session ends when it runs out");
  expect((await profiles.read()).profiles["mine"]?.session).toBeUndefined();
});

test("says that a key of the environment is still there", async () => {
  const service = await aService({});
  const { configDirectory } = await aProfile(service.url);
  const ran = await run("logout", { configDirectory, env: { COUNTERSIGN_API_KEY: "k" } });
  expect(ran.stderr).toContain("COUNTERSIGN_API_KEY is still set");
});

test("nobody cannot sign out", async () => {
  expect((await run("logout")).code).toBe(3);
});
