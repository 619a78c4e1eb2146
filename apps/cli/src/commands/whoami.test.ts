import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run } from "../../test/run-cli.ts";

const address = "0x00000000000000000000000000000000000000aA";
const self = {
  id: "key-1",
  type: "user",
  label: "user",
  scopes: ["transactions:write"],
  ethereumAddress: address,
};

test("shows an agent's account, key and scopes", async () => {
  const service = await aService({ "GET /user-api-keys/self": { body: self } });
  const env = { COUNTERSIGN_URL: `${service.url}/`, COUNTERSIGN_API_KEY: "the-key" };
  const ran = await run("whoami", { env });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  for (const text of [service.url, address, "key-1", "transactions:write"])
    expect(ran.stdout).toContain(text);
  expect(service.asked[0]?.headers["x-api-key"]).toBe("the-key");
  expect(JSON.parse((await run("whoami --json", { env })).stdout)).toEqual({
    ...{ profile: null, url: service.url, as: "agent", address, keyId: "key-1" },
    scopes: ["transactions:write"],
  });
});

test("saves a renewed owner session at once", async () => {
  const next = { accessToken: "new", refreshToken: "next" };
  const service = await aService({
    "GET /auth/me": ({ headers }) =>
      headers.authorization === "Bearer new"
        ? { body: { ethereumAddress: address } }
        : { status: 401, body: {} },
    "POST /auth/refresh": { body: next },
  });
  const configDirectory = await emptyDirectory();
  const profiles = makeProfiles(configDirectory);
  const session = { accessToken: "old", refreshToken: "first" };
  await profiles.change("mine", () => ({ url: service.url, session }));
  const ran = await run("whoami --json", { configDirectory });
  expect(JSON.parse(ran.stdout)).toMatchObject({ profile: "mine", as: "owner", address });
  expect((await profiles.read()).profiles["mine"]?.session).toEqual(next);
});

test("asks to sign in", async () => {
  const ran = await run("whoami", { env: { COUNTERSIGN_URL: "http://127.0.0.1:9" } });
  expect(ran).toMatchObject({ code: 3, stdout: "" });
  expect(ran.stderr).toBe("You aren't signed in.\n  → countersign login\n");
});

test("reports an unknown profile", async () => {
  expect(await run("whoami --profile missing")).toMatchObject({
    code: 6,
    stderr: "Profile not found: missing\n  → countersign profiles list\n",
  });
});

test("mentions an overriding key in the environment once, on stderr", async () => {
  const service = await aService({ "GET /user-api-keys/self": { body: self } });
  const configDirectory = await emptyDirectory();
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, apiKey: "saved" }));
  const ran = await run("whoami --json", { configDirectory, env: { COUNTERSIGN_API_KEY: "other" } });
  expect(ran.stderr).toBe("COUNTERSIGN_API_KEY overrides profile mine.\n");
  expect(JSON.parse(ran.stdout)).toMatchObject({ profile: "mine" });
  expect(service.asked[0]?.headers["x-api-key"]).toBe("other");
});
