import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { parseSiweMessage } from "viem/siwe";
import { expect, test } from "vitest";
import { Interrupted } from "../errors.ts";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const walletKey = `0x${"12".repeat(32)}` as const;
const { address } = privateKeyToAccount(walletKey);
const other = "0x00000000000000000000000000000000000000aA";
const code = "ab12".repeat(8);
const session = { accessToken: "access", refreshToken: "refresh" };

const self = (ethereumAddress: string | null = address): Reply => ({
  body: { id: "1", type: "agent", label: "agent", scopes: ["transactions:write"], ethereumAddress },
});

const aCodeService = (status: Reply) =>
  aService({
    "POST /auth/connect/initiate": { body: { code, authUrl: `https://ui.example/connect?code=${code}` } },
    "GET /auth/connect/status": status,
    "GET /user-api-keys/self": self(),
  });
const ready = { body: { status: "ready", apiKey: "the-key", walletAddress: address } };

const aWalletService = () =>
  aService({
    "POST /auth/siwe/nonce": { body: { nonce: "0123456789abcdef" } },
    "POST /auth/siwe/verify": { body: session },
  });

test("gets an agent key by code, saves it, and shows the account", async () => {
  const service = await aCodeService(ready);
  const configDirectory = await emptyDirectory();
  const ran = await run(["login", "--url", service.url], { configDirectory });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain(`https://ui.example/connect?code=${code}\n`);
  expect(ran.stderr).toContain("must start with ab12");
  expect(ran.stdout).toContain(address);
  expect(ran.stdout + ran.stderr).not.toContain("the-key");
  expect(await makeProfiles(configDirectory).read()).toEqual({
    current: "default",
    profiles: { default: { url: service.url, apiKey: "the-key", address } },
  });
});

test("proves with the PKCE verifier that it started the connection", async () => {
  const service = await aCodeService(ready);
  await run(["login", "--url", service.url]);
  const [began, fetched] = service.asked;
  expect(began?.body).toHaveProperty("codeChallenge");
  expect(fetched?.headers["x-connect-verifier"]).toMatch(/^[\w-]{43,}$/);
});

test("saves the key even if the next request fails", async () => {
  const service = await aService({
    "POST /auth/connect/initiate": { body: { code, authUrl: "https://ui.example/" } },
    "GET /auth/connect/status": ready,
  });
  const configDirectory = await emptyDirectory();
  expect((await run(["login", "--url", service.url], { configDirectory })).code).toBe(6);
  expect((await makeProfiles(configDirectory).read()).profiles["default"]?.apiKey).toBe("the-key");
});

test.each([
  ["on a terminal", { isTerminal: true }, "", 1],
  ["not for a script", { isTerminal: false }, "", 0],
  ["not with --no-browser", { isTerminal: true }, "--no-browser", 0],
  ["not in CI", { isTerminal: true, env: { CI: "true" } }, "", 0],
  ["not over SSH", { isTerminal: true, env: { SSH_CONNECTION: "x" } }, "", 0],
])("opens a browser %s", async (_, options, flag, times) => {
  const service = await aCodeService(ready);
  const opened: string[] = [];
  const openBrowser = async (url: string) => void opened.push(url);
  await run(`login --url ${service.url} ${flag}`, { ...options, openBrowser });
  expect(opened).toHaveLength(times);
});

test("shows but does not open a link that is not a web page", async () => {
  const service = await aService({
    "POST /auth/connect/initiate": { body: { code, authUrl: "file:///bin/sh" } },
    "GET /auth/connect/status": ready,
    "GET /user-api-keys/self": self(),
  });
  const opened: string[] = [];
  const openBrowser = async (url: string) => void opened.push(url);
  expect((await run(`login --url ${service.url}`, { isTerminal: true, openBrowser })).code).toBe(0);
  expect(opened).toEqual([]);
});

test("continues if the browser does not open", async () => {
  const service = await aCodeService(ready);
  const openBrowser = () => Promise.reject(new Error("no display"));
  const ran = await run(`login --url ${service.url}`, { isTerminal: true, openBrowser });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("Open the link yourself");
});

test("saves nothing after Ctrl-C, and says how to start again", async () => {
  const interruption = new AbortController();
  const service = await aService({
    "POST /auth/connect/initiate": { body: { code, authUrl: "https://ui.example/" } },
    "GET /auth/connect/status": () => {
      setImmediate(() => {
        interruption.abort(new Interrupted());
      });
      return { body: { status: "pending" } };
    },
  });
  const configDirectory = await emptyDirectory();
  const ran = await run(`login --url ${service.url}`, { configDirectory, signal: interruption.signal });
  expect(ran.code).toBe(130);
  expect(ran.stderr).toContain("To start again: countersign login");
  expect(await makeProfiles(configDirectory).read()).toEqual({ profiles: {} });
});

test("exits with 5 for an expired code", async () => {
  const service = await aCodeService({ status: 410, body: { message: "gone" } });
  const ran = await run(`login --url ${service.url} --json`);
  expect(ran.code).toBe(5);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: { code: "not_approved", hint: "countersign login" },
  });
});

test("signs in an owner with a key from the environment, without saving it", async () => {
  const service = await aWalletService();
  const configDirectory = await emptyDirectory();
  const env = { COUNTERSIGN_WALLET_KEY: walletKey };
  const ran = await run(`login --wallet --url ${service.url} --json`, { configDirectory, env });
  expect(JSON.parse(ran.stdout)).toEqual({ profile: "default", url: service.url, as: "owner", address });
  const { profiles } = await makeProfiles(configDirectory).read();
  expect(profiles["default"]).toEqual({ url: service.url, session, address });
  const { message } = service.asked[1]?.body as { message: string };
  expect(parseSiweMessage(message)).toMatchObject({ address, nonce: "0123456789abcdef" });
});

test("signs in an owner with a key file, and saves its path", async () => {
  const service = await aWalletService();
  const configDirectory = await emptyDirectory();
  const file = join(await emptyDirectory(), "owner");
  await writeFile(file, `${walletKey}\n`, { mode: 0o600 });
  expect((await run(["login", "--wallet-file", file, "--url", service.url], { configDirectory })).code).toBe(
    0,
  );
  const { profiles } = await makeProfiles(configDirectory).read();
  expect(profiles["default"]).toEqual({ url: service.url, session, address, walletKeyFile: file });
});

test("rejects a key file that others can read", async () => {
  const file = join(await emptyDirectory(), "owner");
  await writeFile(file, walletKey);
  await chmod(file, 0o640);
  const ran = await run(["login", "--wallet-file", file, "--url", "http://127.0.0.1:9"]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(`→ chmod 600 ${file}`);
});

test("prompts for the key with hidden input on a terminal", async () => {
  const service = await aWalletService();
  const ran = await run(`login --wallet --url ${service.url}`, { isTerminal: true, answers: [walletKey] });
  expect(ran.code).toBe(0);
  expect(ran.questions).toHaveLength(1);
});

test("says where to configure a wallet if a script has none", async () => {
  const ran = await run("login --wallet --url http://127.0.0.1:9");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("COUNTERSIGN_WALLET_KEY");
});

test.each(["", "0x12", "00".repeat(32), "ff".repeat(32), "word ".repeat(12)])(
  "rejects an invalid private key without repeating it: %s",
  async (key) => {
    const env = { COUNTERSIGN_WALLET_KEY: key };
    const ran = await run("login --wallet --url http://127.0.0.1:9", { env });
    expect(ran.code).toBe(2);
    if (key !== "") expect(ran.stderr).not.toContain(key);
  },
);

test("requires a separate profile for another wallet", async () => {
  const configDirectory = await emptyDirectory();
  const url = "http://127.0.0.1:9";
  await makeProfiles(configDirectory).change("default", () => ({ url, address: other, apiKey: "k" }));
  const ran = await run("login --wallet", { configDirectory, env: { COUNTERSIGN_WALLET_KEY: walletKey } });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("--profile NAME");
});

test("saves a key from stdin after the service accepted it", async () => {
  const service = await aService({ "GET /user-api-keys/self": self() });
  const configDirectory = await emptyDirectory();
  const ran = await run(`login --key-stdin --url ${service.url}`, { configDirectory, stdin: "the-key\n" });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).not.toContain("the-key");
  expect((await makeProfiles(configDirectory).read()).profiles["default"]?.apiKey).toBe("the-key");
});

test("saves a key without an account", async () => {
  const service = await aService({ "GET /user-api-keys/self": self(null) });
  const ran = await run(`login --key-stdin --url ${service.url} --json`, { stdin: "the-key" });
  expect(JSON.parse(ran.stdout)).toMatchObject({ as: "agent", address: null });
});

test("does not save a rejected key", async () => {
  const service = await aService({ "GET /user-api-keys/self": { status: 401, body: {} } });
  const configDirectory = await emptyDirectory();
  const ran = await run(`login --key-stdin --url ${service.url}`, { configDirectory, stdin: "bad" });
  expect(ran.code).toBe(3);
  expect(await makeProfiles(configDirectory).read()).toEqual({ profiles: {} });
});

test.each(["", "\n", "two words", "two\nlines"])("reports a missing key on stdin: %j", async (stdin) => {
  expect((await run("login --key-stdin --url http://127.0.0.1:9", { stdin })).code).toBe(2);
});

test("keeps the owner's session with a new key of the same account only", async () => {
  const configDirectory = await emptyDirectory();
  const profiles = makeProfiles(configDirectory);
  for (const [saved, isKept] of [
    [address.toLowerCase() as typeof address, true],
    [other, false],
  ] as const) {
    const service = await aService({ "GET /user-api-keys/self": self() });
    await profiles.change("default", () => ({ url: service.url, session, address: saved }));
    await run("login --key-stdin", { configDirectory, stdin: "the-key" });
    expect((await profiles.read()).profiles["default"]?.session).toEqual(isKept ? session : undefined);
  }
});

test("refuses to move a profile to another service", async () => {
  const configDirectory = await emptyDirectory();
  await makeProfiles(configDirectory).change("default", () => ({ url: "https://one.example", apiKey: "k" }));
  const ran = await run("login --url https://two.example", { configDirectory });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("Profile default belongs to https://one.example.");
});

test("says how to configure a service URL", async () => {
  const ran = await run("login");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("countersign login --url");
});
