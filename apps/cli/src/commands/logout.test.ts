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

test("ends the session and deletes the credentials, but keeps the service URL", async () => {
  const service = await aService({
    "GET /auth/me": { body: { ethereumAddress: trust.inbox } },
    "POST /auth/logout": { status: 204 },
  });
  const { configDirectory, profiles } = await aProfile(service.url);
  const ran = await run("logout --json", { configDirectory });
  expect(JSON.parse(ran.stdout)).toEqual({ profile: "mine", sessionEnded: true });
  expect(ran.stderr).toContain("keeps working until the owner revokes it");
  expect(service.asked.at(-1)).toMatchObject({ path: "/auth/logout", body: { refreshToken: "refresh" } });
  expect((await profiles.read()).profiles["mine"]).toEqual({ url: service.url, trust });
});

test("renews an expired session first, and ends the newest tokens", async () => {
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

test("deletes the credentials even if the service rejects the request", async () => {
  const service = await aService({});
  const { configDirectory, profiles } = await aProfile(service.url);
  const ran = await run("logout", { configDirectory });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("The session there ends when it expires");
  expect((await profiles.read()).profiles["mine"]?.session).toBeUndefined();
});

test("says that a key in the environment is still used", async () => {
  const service = await aService({});
  const { configDirectory } = await aProfile(service.url);
  const ran = await run("logout", { configDirectory, env: { COUNTERSIGN_API_KEY: "k" } });
  expect(ran.stderr).toContain("COUNTERSIGN_API_KEY is still set");
});

test("fails if not signed in", async () => {
  expect((await run("logout")).code).toBe(3);
});
