/** The command for lists, run as an operator would, with real HTTP servers and a running validator. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fetchOk, makeSupervisor } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { makeTestKey } from "../../test/minisign.ts";
import { writeListFile } from "../lists/index.ts";

const program = join(import.meta.dirname, "../admin.ts");
const dir = makeTempDir("lists");
const data = join(dir, "data");
const supervisor = makeSupervisor({ logDir: dir });
const today = new Date().toISOString().slice(0, 10);
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const listed = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const others = Array.from({ length: 10 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);
const aList = (given: object = {}): string =>
  JSON.stringify({ name: "mine", asOf: today, source: "me", entries: others, ...given });
const key = makeTestKey();

/** Answers of the server by path: a text, or a function. */
let site: Record<string, string | RequestListener> = {};
const serve: RequestListener = (request, answer) => {
  const found = site[request.url?.split("?")[0] ?? ""];
  if (found === undefined) answer.writeHead(404).end();
  else if (typeof found === "string") answer.end(found);
  else found(request, answer);
};
const redirectTo =
  (location: string): RequestListener =>
  (_, answer) =>
    void answer.writeHead(302, { location }).end();
const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
};
const servers: Server[] = [];
let [http, https] = ["", ""];

beforeAll(async () => {
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ed25519", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
      ...[
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        join(dir, "key.pem"),
        "-out",
        join(dir, "cert.pem"),
      ],
    ],
    { stdio: "ignore" },
  );
  const [pem, cert] = ["key.pem", "cert.pem"].map((name) => readFileSync(join(dir, name)));
  const [open, secure] = [createServer(serve), createSecureServer({ key: pem, cert }, serve)];
  servers.push(open, secure);
  http = `http://127.0.0.1:${await listen(open)}`;
  https = `https://localhost:${await listen(secure)}`;
});
afterAll(async () => {
  await supervisor.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  site = {};
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
const admin = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      [program, ...args],
      {
        env: {
          ...{ PATH: process.env["PATH"], HOME: process.env["HOME"] },
          ...{ VALIDATOR_DATA_DIR: data, NODE_EXTRA_CA_CERTS: join(dir, "cert.pem"), ...env },
        },
      },
      (error, stdout, stderr) => {
        done({ code: error === null ? 0 : 1, stdout, stderr });
      },
    );
  });
const update = (from: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ran> =>
  admin(["lists", "update", "--from", from, "--kind", "sanctions", ...args], env);

describe("lists update", () => {
  test("puts a signed list in place, from https, and shows it with its age and its key", async () => {
    const text = aList({ asOf: daysAgo(3) });
    site = {
      "/ofac.json": redirectTo("/real.json"),
      "/real.json": text,
      "/ofac.json.minisig": key.sign(text),
    };
    const ran = await update(`${https}/ofac.json`, [], { LIST_KEYS: key.publicKey });
    expect([ran.stderr, ran.code]).toEqual(["", 0]);
    expect(ran.stdout).toContain(
      `Updated. sanctions-ofac.json: 10 entries of ${daysAgo(3)}, signed by ${key.id}`,
    );
    expect(readdirSync(data)).toEqual(["sanctions-ofac.json"]);
    const again = await update(`${https}/ofac.json`, ["--key", key.publicKey], { LIST_KEYS: key.publicKey });
    expect(again.stdout).toContain("Unchanged.");
    const shown = await admin(["lists", "show"], { LIST_KEYS: key.publicKey });
    expect(shown.stdout).toContain(
      [
        "sanctions-ofac.json (sanctions)",
        "  name: mine",
        "  entries: 10",
        `  date: ${daysAgo(3)}, 3 days old`,
        `  signature: signed by ${key.id}`,
        "  state: current",
      ].join("\n"),
    );
    expect(shown.stdout).toContain("partial: matches count");
  });

  test("takes a plain file with one address per line, whose date the operator states", async () => {
    const file = join(dir, "eth.txt");
    writeFileSync(file, `${others.join("\n")}\n`);
    expect((await update(file)).stderr).toContain("asOf");
    const { stdout } = await update(file, ["--as-of", daysAgo(60), "--name", "ofac-eth"]);
    expect(stdout).toContain(`sanctions-ofac-eth.json: 10 entries of ${daysAgo(60)}, not verified`);
    expect((await admin(["lists", "show"])).stdout).toContain("stale: older than 45 days");
  });

  const unsafe = "a".repeat(17 * 1024 * 1024);
  const bad: readonly (readonly [
    string,
    () => Record<string, string | RequestListener>,
    string,
    Record<string, string>,
  ])[] = [
    ["an unsigned list", () => ({ "/l.json": aList() }), "(unsigned)", { LIST_KEYS: key.publicKey }],
    [
      "a list signed by another key",
      () => ({ "/l.json": aList(), "/l.json.minisig": makeTestKey().sign(aList()) }),
      "(wrongly_signed)",
      { LIST_KEYS: key.publicKey },
    ],
    [
      "a list changed after it was signed",
      () => ({ "/l.json": aList({ name: "bent" }), "/l.json.minisig": key.sign(aList()) }),
      "(wrongly_signed)",
      { LIST_KEYS: key.publicKey },
    ],
    ["a list that is older", () => ({ "/l.json": aList({ asOf: daysAgo(9) }) }), "(older)", {}],
    ["a list from the future", () => ({ "/l.json": aList({ asOf: daysAgo(-3) }) }), "(future)", {}],
    ["a list that is cut off", () => ({ "/l.json": aList().slice(0, -3) }), "(malformed)", {}],
    [
      "a list that lost most entries",
      () => ({ "/l.json": aList({ entries: others.slice(0, 4) }) }),
      "(shrunk)",
      {},
    ],
    ["a list of another name", () => ({ "/l.json": aList({ name: "other" }) }), "(other_name)", {}],
    ["a list of another kind", () => ({ "/l.json": aList({ kind: "scam" }) }), "(wrong_kind)", {}],
    ["a list that is too large", () => ({ "/l.json": unsafe }), "is larger than 16777216 bytes", {}],
    [
      "bytes that are not text",
      () => ({ "/l.json": (_, answer) => void answer.end(Buffer.from([0xff, 0xfe, 0x00])) }),
      "is not UTF-8 text",
      {},
    ],
    [
      "an error page",
      () => ({ "/l.json": (_, answer) => void answer.writeHead(500).end(aList()) }),
      "answered 500",
      {},
    ],
    ["no list at all", () => ({}), "answered 404", {}],
    [
      "a redirect to another host over http",
      () => ({ "/l.json": redirectTo("http://192.0.2.1/l.json") }),
      "redirects to http://192.0.2.1/l.json",
      {},
    ],
    [
      "a redirect to a file",
      () => ({ "/l.json": redirectTo("file:///etc/hostname") }),
      "redirects to file:///etc/hostname",
      {},
    ],
    ["a redirect to itself", () => ({ "/l.json": redirectTo("/l.json") }), "redirects more than 3 times", {}],
    [
      "a connection that breaks off",
      () => ({ "/l.json": (request) => void request.socket.destroy() }),
      "cannot be reached",
      {},
    ],
  ];
  test.each(bad)("refuses %s in one sentence, and leaves the list in place", async (_, files, why, env) => {
    const text = aList({ asOf: daysAgo(5) });
    const before = writeListFile({ text, signature: key.sign(text) });
    writeFileSync(join(data, "sanctions-l.json"), before);
    site = files();
    const { code, stderr } = await update(`${http}/l.json?token=secret`, [], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(stderr).toMatch(/^Refused: .*Nothing was changed\.\n$/s);
    expect(stderr).not.toMatch(/secret|\n\s+at /);
    expect(readFileSync(join(data, "sanctions-l.json"), "utf8")).toBe(before);
    expect(readdirSync(data)).toEqual(["sanctions-l.json"]);
  });

  test.each([
    ["http beyond this machine", ["--from", "http://192.0.2.1/l.json"], {}, "is not an https address"],
    ["a file that does not exist", ["--from", "/none.json"], {}, "there is no file /none.json"],
    ["no source", [], {}, "--from <url or file> is required"],
    ["an unknown option", ["--from", "/none.json", "--yes"], {}, "--yes"],
    ["a malformed key", ["--from", "/none.json", "--key", "abc"], {}, "is not a public key of minisign"],
    [
      "a key that is not pinned",
      ["--from", "/none.json", "--key", key.publicKey],
      { LIST_KEYS: makeTestKey().publicKey },
      "LIST_KEYS does not contain",
    ],
    ["no folder", ["--from", "/none.json"], { VALIDATOR_DATA_DIR: "" }, "VALIDATOR_DATA_DIR is not set"],
    [
      "a malformed pinned key",
      ["--from", "/none.json"],
      { LIST_KEYS: "abc" },
      "LIST_KEYS: must be public keys of minisign",
    ],
  ])("refuses %s", async (_, args, env, why) => {
    const { code, stderr } = await admin(["lists", "update", "--kind", "scam", ...args], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("needs the kind where the name does not say it", async () => {
    site = { "/list.json": aList(), "/scam-list.json": aList() };
    expect((await admin(["lists", "update", "--from", `${http}/list.json`])).stderr).toContain(
      "--kind is required",
    );
    expect((await admin(["lists", "update", "--from", `${http}/scam-list.json`])).stdout).toContain(
      "scam-list.json: 10",
    );
  });

  test("a redirect from https never leads to http", async () => {
    site = { "/l.json": redirectTo(`${http}/real.json`), "/real.json": aList() };
    expect((await update(`${https}/l.json`)).stderr).toContain(
      `redirects to ${http}/real.json, which is not allowed`,
    );
    expect(readdirSync(data)).toEqual([]);
  });

  test("accepts a list that lost most entries with --force", async () => {
    site = { "/l.json": aList() };
    await update(`${http}/l.json`);
    site = { "/l.json": aList({ entries: others.slice(0, 1) }) };
    expect((await update(`${http}/l.json`, ["--force"])).stdout).toContain("sanctions-l.json: 1 entries");
  });
});

test("an unknown command prints the usage and ends with an error", async () => {
  expect(await admin(["lists", "delete"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("lists update") as string,
  });
});

describe("a running validator", { timeout: 240_000 }, () => {
  type Report = {
    readonly decision: string;
    readonly assessment: { readonly kind: string };
    readonly primary_failure_node: string | null;
    readonly context: {
      readonly inputs: { readonly configuration: string };
      readonly lists: readonly {
        readonly kind: string;
        readonly age_days: number;
        readonly fresh: boolean;
      }[];
    };
  };
  let url = "";
  const request = {
    human_intent: `Send 0.1 ETH to ${listed}`,
    proposed_tx: { to: listed, value: "100000000000000000" },
    metadata: { from: "0x7a16ff8270133f063aab6c9977183d9e72835428", chain_id: 1 },
  };
  const check = async (): Promise<Report> => {
    const answer = await fetch(`${url}/validate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return (await answer.json()) as Report;
  };
  /** Repeats a verdict in another process, with the lists in that folder. */
  const replay = async (report: Report, folder: string): Promise<unknown> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../replay.ts")], {
      env: { VALIDATOR_DATA_DIR: folder, REQUIRE_SANCTIONS: "true" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.end(`${JSON.stringify({ request, report })}\n`);
    return JSON.parse(await text(child.stdout));
  };
  const read = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
  const statusOf = async (): Promise<unknown> => JSON.parse(await read("/health"));

  test("picks up lists while it runs, names them in its reports, keeps the old ones where the new are broken", async () => {
    const [port = 0] = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    site = { "/l.json": aList({ asOf: daysAgo(60) }) };
    await update(`${http}/l.json`);
    const child = supervisor.start({
      ...{
        name: "validator",
        command: process.execPath,
        args: [join(import.meta.dirname, "../main.ts")],
        cwd: dir,
      },
      env: {
        ...{
          PORT: String(port),
          VALIDATOR_DATA_DIR: data,
          LIST_POLL_SECONDS: "1",
          REQUIRE_SANCTIONS: "true",
        },
        ...{ VALIDATE_WORKERS: "1", LOG_LEVEL: "info" },
      },
    });
    await waitUntil("the validator is ready", () => fetchOk(`${url}/ready`), { seconds: 180, child });

    const stale = await check();
    expect(stale).toMatchObject({ decision: "REJECT", assessment: { kind: "not_checked" } });
    expect(stale.context.lists).toMatchObject([{ kind: "sanctions", age_days: 60, fresh: false }]);
    expect(await read("/metrics")).toMatch(
      /list_expires_seconds\{list="sanctions",app="validator"\} -1\d{6}/,
    );

    site = { "/l.json": aList() };
    await update(`${http}/l.json`);
    await waitUntil("the new list is used", async () => (await check()).decision === "PASS", {
      seconds: 30,
      child,
    });
    const fresh = await check();
    expect(fresh.context.lists).toMatchObject([{ kind: "sanctions", age_days: 0, fresh: true }]);
    expect(fresh.context.inputs.configuration).not.toBe(stale.context.inputs.configuration);
    expect(await replay(fresh, data)).toMatchObject({ outcome: "identical", decision: "PASS" });
    expect(await replay(stale, data)).toMatchObject({ outcome: "cannot" });

    site = { "/l.json": aList({ entries: [...others, listed] }) };
    await update(`${http}/l.json`);
    await waitUntil("the address is listed", async () => (await check()).decision === "REJECT", {
      seconds: 30,
      child,
    });
    const hit = await check();
    expect(hit.primary_failure_node).toBe("legal_compliance.sanctioned_address");

    writeFileSync(join(data, "sanctions-l.json"), "{");
    const isDegraded = async (): Promise<boolean> => (await read("/health")).includes('"degraded"');
    await waitUntil("the problem is shown", isDegraded, { seconds: 30, child });
    expect(await statusOf()).toMatchObject({
      status: "degraded",
      lists: [{ kind: "sanctions", age_days: 0, fresh: true }],
      lists_problem: expect.stringContaining("sanctions-l.json: not readable as JSON") as string,
    });
    expect(await read("/metrics")).toContain('lists_refused{app="validator"} 1');
    expect((await check()).context.inputs.configuration).toBe(hit.context.inputs.configuration);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
  });
});
