// Each adapter against a server with scripted answers, over a real connection.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashReport, type Hex } from "@countersign/wire";
import { cidOf, digestOf, maximumEnvelopeBytes } from "@countersign/wire/envelope";
import { aContent, aWord, anAddress } from "../../test/proposals.ts";
import { aReport } from "../../test/verify.ts";
import { makeEnclave } from "./enclave/index.ts";
import { makePayloads } from "./payloads/index.ts";
import { makeRecord, type PostedVerdict } from "./record/index.ts";
import { makeSimulator } from "./simulator/index.ts";
import { makeValidator, type ValidatorQuestion } from "./validator/index.ts";

type Reply = {
  readonly status?: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
};
type Seen = { readonly target: string; readonly headers: IncomingHttpHeaders; readonly body: string };

let server: Server;
let url: string;
let reply: Reply | "never";
let seen: Seen[];
beforeEach(async () => {
  [reply, seen] = [{}, []];
  server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen.push({ target: `${request.method ?? ""} ${request.url ?? ""}`, headers: request.headers, body });
      if (reply === "never") return;
      const { status = 200, body: answer = "", headers = {} } = reply;
      response.writeHead(status, headers).end(answer);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Short only where no answer comes: an answer may be slow on a busy machine. */
const patienceMs = (): number => (reply === "never" ? 300 : 20_000);

const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });
const unavailable = (said: string) => ({
  name: "Unavailable",
  message: expect.stringContaining(said) as unknown,
});

describe("payloads", () => {
  const bytes = new TextEncoder().encode("sealed");
  const fetchIt = () => makePayloads({ url, timeoutMs: patienceMs() }).fetch(digestOf(bytes));
  test("are the bytes with that digest, requested by their CID", async () => {
    reply = { body: bytes };
    expect(new Uint8Array(await fetchIt())).toEqual(bytes);
    expect(seen[0]?.target).toBe(`GET /ipfs/${cidOf(digestOf(bytes))}?format=raw`);
  });
  test.each<[string, Reply | "never", string]>([
    ["other bytes", { body: "sealeD" }, "other bytes"],
    ["more bytes", { body: "sealed and more" }, "other bytes"],
    ["too many bytes", { body: new Uint8Array(maximumEnvelopeBytes + 1) }, "more than"],
    ["nothing there", { status: 404, body: bytes }, "status 404"],
    ["elsewhere", { status: 302, headers: { location: "http://127.0.0.1:9/" } }, "could not be reached"],
    ["no answer", "never", "in time"],
  ])("are not available yet: %s", async (_, given, said) => {
    reply = given;
    await expect(fetchIt()).rejects.toMatchObject(unavailable(said));
  });
});

describe("the validator", () => {
  const question: ValidatorQuestion = {
    human_intent: "Send my canary",
    proposed_tx: { to: anAddress(), value: "1", data: "0x", chainId: 1 },
    metadata: { from: anAddress(), chain_id: 1, now: 1 },
  };
  const ask = () => makeValidator({ url, timeoutMs: patienceMs() }).check(question);
  test("returns its whole answer, and its hash", async () => {
    const whole = { ...aReport(), context: { more: [1, "two"] } };
    reply = json(whole);
    expect(await ask()).toMatchObject({ kind: "checked", whole, reportHash: hashReport(whole) });
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual(question);
  });
  test("accepts a verdict also where its explanation is missing or odd", async () => {
    for (const explanation of [null, { key_issues: "none" }, 7]) {
      reply = json({ ...aReport(), explanation });
      expect(await ask()).toMatchObject({ kind: "checked" });
    }
  });
  test("reports a malformed request", async () => {
    reply = json({ detail: "too odd" }, 422);
    expect(await ask()).toEqual({ kind: "malformed", detail: "too odd" });
  });
  test.each<[string, Reply | "never"]>([
    ["it is not ready", json({ detail: "wait" }, 503)],
    ["it fails", json({ detail: "Send my canary" }, 500)],
    ["it answers no JSON", { body: "<p>Send my canary" }],
    ["it answers something else", json({ decision: "MAYBE", reason: "Send my canary" })],
    ["it answers half a character", { body: JSON.stringify({ ...aReport(), reason: "\ud83d" }) }],
    ["it does not answer", "never"],
  ])("is unavailable while %s, and nothing of its answer is repeated", async (_, given) => {
    reply = given;
    const error = await ask().catch((problem: unknown) => problem);
    expect(error).toMatchObject(unavailable("the validator"));
    expect(String(error)).not.toContain("canary");
  });
});

describe("the simulator", () => {
  const calls = [{ to: anAddress(), value: "1", data: "0x" }] as const;
  const call = { chainId: 1, from: anAddress(), calls, names: [] };
  const capture = () => makeSimulator({ url, timeoutMs: patienceMs() }).capture(call);
  test("returns the state unchanged", async () => {
    const state = { version: 1, nodes: ["0x01"], more: { deep: [1] } };
    reply = json({ state, block: { number: "7" } });
    expect(await capture()).toEqual({ state });
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual(call);
  });
  test("returns the answer of the second engine unchanged", async () => {
    const secondEngine = { result: "differs", first: {}, second: {}, more: [1] };
    reply = json({ state: {}, second_engine: secondEngine });
    expect(await capture()).toEqual({ state: {}, secondEngine });
  });
  test.each<[string, Reply | "never"]>([
    ["no node is configured", json({ message: "canary" }, 404)],
    ["it cannot capture the state", json({ message: "canary" }, 422)],
    ["its nodes disagree", json({ message: "canary" }, 503)],
    ["it answers no JSON", { body: "<p>canary" }],
    ["it answers something else", json({ state: "canary" })],
    ["it answers too much", { body: new Uint8Array(2 * 1024 * 1024 + 1) }],
    ["it does not answer", "never"],
  ])("has no state if %s, and nothing of its answer is repeated", async (_, given) => {
    reply = given;
    const error = await capture().catch((problem: unknown) => problem);
    expect(error).toMatchObject(unavailable("the simulator"));
    expect(String(error)).not.toContain("canary");
  });
});

describe("the main service", () => {
  const key = "cs_orion_test";
  const record = () => makeRecord({ url, internalUrl: `${url}/own`, key, timeoutMs: patienceMs() });
  const requestHash = aWord();
  const posted = { requestHash, decision: "APPROVED", confidence: 1, analysis: "" } as PostedVerdict;
  test("returns the status of a request to the holder of the key", async () => {
    reply = json({}, 404);
    expect(await record().readStanding(requestHash)).toEqual({ kind: "unknown" });
    reply = json({ user: [], orion: [] });
    expect(await record().readStanding(requestHash)).toEqual({ kind: "open" });
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    reply = { ...json({ user: [], orion: [] }), headers: { traceparent } };
    expect(await record().readStanding(requestHash)).toEqual({ kind: "open", traceparent });
    reply = { ...json({ user: [], orion: [] }), headers: { traceparent: `${traceparent} and more` } };
    expect(await record().readStanding(requestHash)).toEqual({ kind: "open" });
    reply = json({ user: [], orion: [{ decision: "UNDECIDED" }] });
    expect(await record().readStanding(requestHash)).toEqual({ kind: "decided", attestations: [] });
    expect(seen[0]).toMatchObject({
      target: `GET /transactions/${requestHash}/approval-status`,
      headers: { "x-api-key": key },
    });
  });
  test("returns the content of an unencrypted proposal, or that there is none", async () => {
    const content = aContent({ executionType: 0 });
    reply = json(content);
    expect(await record().readContent(requestHash)).toEqual(content);
    expect(seen[0]).toMatchObject({
      target: `GET /own/internal/proposals/${requestHash}/content`,
      headers: { "x-api-key": key },
    });
    reply = json({}, 404);
    expect(await record().readContent(requestHash)).toBeUndefined();
    reply = json({ ...content, more: 1 });
    await expect(record().readContent(requestHash)).rejects.toMatchObject(unavailable("the main service"));
  });
  test("accepts a verdict, or refuses it permanently", async () => {
    reply = json({}, 201);
    expect(await record().postVerdict(posted)).toBe("posted");
    expect(seen[0]?.target).toBe(`POST /transactions/${requestHash}/approvals`);
    reply = json({}, 400);
    expect(await record().postVerdict(posted)).toBe("refused");
  });
  test.each([401, 403, 429, 500, 503])("is unavailable while it answers %i", async (status) => {
    reply = json({}, status);
    await expect(record().postVerdict(posted)).rejects.toMatchObject(unavailable("the main service"));
    await expect(record().readStanding(requestHash)).rejects.toMatchObject(unavailable("the main service"));
  });
  test("lists executed calls, as far as they are visible", async () => {
    const to: Hex = anAddress();
    reply = json([
      { status: "EXECUTED", tx: { to, data: "0x", value: "1" } },
      { status: "EXECUTED", tx: null },
      { status: "APPROVED", tx: { to: anAddress(), data: "0x" } },
    ]);
    expect(await record().listExecuted(to)).toEqual([{ to, data: "0x" }]);
    reply = json({}, 404);
    expect(await record().listExecuted(to)).toEqual([]);
  });
  test("accepts a proof at the internal endpoints", async () => {
    expect(await record().attachProof(requestHash, { format: "test" })).toBe("attached");
    expect(seen[0]?.target).toBe(`PATCH /own/internal/orion-metadata/${requestHash}/tee-proof`);
    reply = json({}, 409);
    expect(await record().attachProof(requestHash, {})).toBe("refused");
  });
});

test("the enclave's proof is passed on unchanged, and a malformed one is not", async () => {
  const proof = { format: "aws-nitro-v1", attestation: "b64", extra: 1 };
  reply = json(proof);
  expect(await makeEnclave({ url }).prove(aWord())).toEqual(proof);
  for (const given of [json({}), json(proof, 500), { body: "" }]) {
    reply = given;
    await expect(makeEnclave({ url }).prove(aWord())).rejects.toMatchObject(unavailable("no proof"));
  }
});
