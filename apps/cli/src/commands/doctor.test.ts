import { chmod, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { nodeFinding } from "../doctor/examine-machine.ts";
import { skewFindings } from "../doctor/examine-services.ts";
import type { Finding } from "../doctor/examine.ts";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply, type RunOptions } from "../../test/run-cli.ts";

const address = `0x${"11".repeat(20)}` as const;
const well: Readonly<Record<string, Reply>> = {
  "GET /": { body: { name: "Countersign", version: "1.2.3", status: "ok" } },
  "GET /health": { body: { status: "ok", version: "1.2.3", checks: { postgres: "ok", engine: "ok" } } },
  "GET /user-api-keys/self": {
    body: { id: "1", type: "agent", label: "l", scopes: ["transactions:write"], ethereumAddress: address },
  },
};

async function findings(options: RunOptions) {
  const ran = await run("doctor --json", options);
  const said = JSON.parse(ran.stdout) as { ok: boolean; findings: Finding[] };
  return { ...ran, ...said, of: (name: string) => said.findings.find((finding) => finding.name === name) };
}

test("reports each check as ok and exits with 0", async () => {
  const service = await aService(well);
  const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" };
  const { code, of } = await findings({ env });
  expect(code).toBe(0);
  expect(of("service")).toMatchObject({ status: "ok", message: `${service.url}, version 1.2.3` });
  expect(of("health of engine")?.status).toBe("ok");
  expect(of("clock")?.status).toBe("ok");
  expect(of("key")).toMatchObject({ status: "ok", message: `valid, ${address}, scopes: transactions:write` });
  const shown = await run("doctor", { env });
  expect(shown.stdout).toMatch(/^ok {4}service: /m);
});

test("fails with 7 if the service is unreachable", async () => {
  const { code, of } = await findings({ env: { COUNTERSIGN_URL: "http://127.0.0.1:9" } });
  expect(code).toBe(7);
  expect(of("service")).toMatchObject({ status: "fail" });
});

test.each([{ "GET /": { body: { hello: "world" } } }, {}])(
  "fails if the URL is another service: %j",
  async (routes) => {
    const service = await aService(routes);
    const { of } = await findings({ env: { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" } });
    expect(of("service")?.message).toContain("isn't a Countersign service");
    // An unknown service must not see the key.
    expect(service.asked.map(({ headers }) => headers["x-api-key"])).toEqual([undefined]);
  },
);

test("warns of a component that the service reports as failing", async () => {
  const health = { body: { status: "degraded", checks: { postgres: "ok", engine: "failing" } } };
  const service = await aService({ ...well, "GET /health": health });
  const { code, of } = await findings({ env: { COUNTERSIGN_URL: service.url } });
  expect(of("health of engine")?.status).toBe("warn");
  expect(of("credential")).toMatchObject({ status: "warn", todo: "countersign login" });
  expect(code).toBe(0);
});

test("fails for a rejected key, with a fix", async () => {
  const service = await aService({ ...well, "GET /user-api-keys/self": { status: 401, body: {} } });
  const { code, of } = await findings({ env: { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" } });
  expect(code).toBe(7);
  expect(of("key")).toMatchObject({ status: "fail", todo: "countersign login" });
});

test("distinguishes a validator from an unreachable one and from another service", async () => {
  const service = await aService(well);
  const validator = await aService({
    "GET /health": { body: { status: "ok", version: "2.0.0", catalogue: { checks: 77 } } },
  });
  const ask = async (url: string) =>
    (await findings({ env: { COUNTERSIGN_URL: service.url, COUNTERSIGN_VALIDATOR_URL: url } })).of(
      "validator",
    );
  expect(await ask(validator.url)).toMatchObject({
    status: "ok",
    message: `${validator.url}, version 2.0.0, 77 checks`,
  });
  expect(await ask("http://127.0.0.1:9")).toMatchObject({ status: "fail" });
  expect(await ask(service.url)).toMatchObject({ status: "fail" });
});

test("warns of clock skew", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  const at = (iso: string) => skewFindings(new Date(iso).toUTCString(), now)[0];
  expect(at("2026-11-15T12:00:05Z")).toMatchObject({ status: "ok" });
  expect(at("2026-11-15T11:00:00Z")).toMatchObject({
    status: "warn",
    message: "3600 s ahead of the service's",
  });
  expect(at("2026-11-15T12:02:00Z")).toMatchObject({ status: "warn", message: "120 s behind the service's" });
  expect(skewFindings(null, now)).toEqual([]);
  expect(skewFindings("nonsense", now)).toEqual([]);
});

test("warns of a readable profile file and fails for a broken one", async () => {
  const service = await aService(well);
  const configDirectory = await emptyDirectory();
  const profiles = makeProfiles(configDirectory);
  await profiles.change("mine", () => ({ url: service.url, apiKey: "k" }));
  await chmod(profiles.file, 0o644);
  const wide = await findings({ configDirectory });
  expect(wide.of("file mode")).toMatchObject({ status: "warn", todo: `chmod 0600 ${profiles.file}` });
  await writeFile(profiles.file, "{");
  const broken = await findings({ configDirectory });
  expect(broken).toMatchObject({ code: 7, ok: false });
  expect(broken.of("profiles")?.status).toBe("fail");
  // Flags and environment still configure the service.
  const named = await findings({ configDirectory, env: { COUNTERSIGN_URL: service.url } });
  expect(named).toMatchObject({ code: 7, ok: false });
  expect(named.of("service")).toMatchObject({ status: "ok" });
  expect(named.of("credential")).toMatchObject({ status: "warn" });
});

test("fails for an old Node", () => {
  expect(nodeFinding("22.11.0").status).toBe("fail");
  expect(nodeFinding("24.0.0").status).toBe("ok");
});

test("fails without a configured service, with a fix", async () => {
  const { code, of } = await findings({});
  expect(code).toBe(7);
  expect(of("service")?.todo).toContain("countersign login --url");
});

test("reports local credentials if the service is down, without sending the key", async () => {
  const env = { COUNTERSIGN_URL: "http://127.0.0.1:9", COUNTERSIGN_API_KEY: "cs_user_secret" };
  const { code, of, stdout } = await findings({ env });
  expect(code).toBe(7);
  expect(of("service")?.todo).toContain("countersign verify FILE");
  expect(of("key")).toMatchObject({ status: "warn" });
  expect(of("key")?.message).toContain("not checked");
  expect(stdout).not.toContain("cs_user_secret");
  const stranger = await findings({ env: { COUNTERSIGN_URL: "http://127.0.0.1:9" } });
  expect(stranger.of("credential")).toMatchObject({ status: "warn", todo: "countersign login" });
});

test.each([502, 503, 500])(
  "distinguishes a service that answers %i from an unreachable one",
  async (status) => {
    const service = await aService({ "GET /": { status, body: "<html>" } });
    const { code, of } = await findings({ env: { COUNTERSIGN_URL: service.url } });
    expect(code).toBe(7);
    expect(of("service")?.message).toContain(String(status));
    expect(of("service")?.todo).toContain("The operator sees why");
  },
);

test("fails the health check but not the service if health cannot be read", async () => {
  const service = await aService({ ...well, "GET /health": { status: 503, body: {} } });
  const { code, of } = await findings({ env: { COUNTERSIGN_URL: service.url } });
  expect(code).toBe(7);
  expect(of("service")).toMatchObject({ status: "ok" });
  expect(of("health")).toMatchObject({ status: "fail" });
  expect(of("credential")).toMatchObject({ status: "warn" });
});

test("warns if the service cannot reach IPFS", async () => {
  const health = { body: { status: "degraded", checks: { database: "ok", ipfs: "failing" } } };
  const service = await aService({ ...well, "GET /health": health });
  const { code, of } = await findings({ env: { COUNTERSIGN_URL: service.url } });
  expect(of("health of ipfs")).toMatchObject({ status: "warn" });
  expect(code).toBe(0);
});

test.each(["http//x", "ftp://x"])("fails for an invalid service URL: %s", async (url) => {
  const { code, of } = await findings({ env: { COUNTERSIGN_URL: url } });
  expect(code).toBe(7);
  expect(of("service")).toMatchObject({ status: "fail" });
  expect(of("node")).toMatchObject({ status: "ok" });
});

test("fails for an unknown profile and names it", async () => {
  const ran = await run("doctor --json --profile other");
  expect(ran.code).toBe(7);
  expect(ran.stdout).toContain("Profile not found: other");
});
