import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeApp } from "../app.ts";
import { Config } from "../config.ts";
import { PoolBusy } from "@countersign/platform/pool";
import type { AboutEngine } from "./check-worker.ts";
import type { Checker } from "./checker.ts";
import { validateRoutes } from "./routes.ts";

const bob = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const thief = "0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be";
const tenth = "100000000000000000";
const payment = {
  human_intent: `Send 0.1 ETH to ${bob}`,
  proposed_tx: { to: bob, value: tenth },
  metadata: { from: "0x7a16ff8270133f063aab6c9977183d9e72835428", chain_id: 1 },
};

type Answer = {
  readonly decision: string;
  readonly reason: string;
  readonly protocol: string | null;
  readonly primary_failure_node: string | null;
  readonly llm_calls: number;
  readonly results: Record<
    string,
    { status: string; confidence: number; reasoning: string; details: Record<string, unknown> }
  >;
  readonly extracted_elements: { readonly steps: readonly unknown[] };
  readonly context: Record<string, unknown>;
  readonly explanation: {
    readonly summary: string;
    readonly decision: string;
    readonly key_issues: readonly Record<string, unknown>[];
    readonly affected_nodes: Record<string, readonly string[]>;
    readonly recommendations: readonly string[];
  };
};

const silent = makeLog({ app: "validator", level: "silent" });
const app = makeApp(loadConfig(Config, { VALIDATE_WORKERS: "1" }), silent);
let address = "";
let close: () => Promise<void>;
let about: AboutEngine;

beforeAll(async () => {
  const fastify = await makeService(app.service);
  close = async () => {
    await fastify.close();
    await app.close();
  };
  address = await fastify.listen({ host: "127.0.0.1", port: 0 });
  about = await app.load();
}, 240_000);
afterAll(() => close());

const post = (body: unknown, contentType = "application/json", path = "/validate"): Promise<Response> =>
  fetch(address + path, {
    method: "POST",
    headers: { "content-type": contentType },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const judge = async (body: unknown): Promise<Answer> => (await post(body)).json() as Promise<Answer>;

describe("POST /validate", () => {
  test("200: a payment that does what was asked passes", async () => {
    const answer = await post(payment);
    expect(answer.status).toBe(200);
    const verdict = (await answer.json()) as Answer;
    expect(verdict).toMatchObject({ decision: "PASS", primary_failure_node: null, llm_calls: 0 });
    expect(Object.keys(verdict.results)).toEqual(Object.keys(about.overBudget.time.results));
    expect(verdict.extracted_elements.steps).toHaveLength(1);
    expect(verdict.context).toMatchObject({
      chain: { id: 1, assumed: false },
      engine: { checks: about.checks },
      effects: [
        {
          act: "transfer",
          receiver: bob,
          gives: [{ symbol: "ETH", most: "0.1", units: tenth, decimals: 18 }],
        },
      ],
      net_effect: { leaves: [{ symbol: "ETH", most: "0.1" }] },
      described: [`Send 0.1 ETH to ${bob} on Ethereum.`],
      calls: [{ call: "proposed_tx", to: bob, value: tenth, known: true, calls: [] }],
    });
  });

  test("200: what leaves, arrives and goes is told in dollars where a price is known, and only there", async () => {
    const priced = { ...payment.metadata, prices_usd: { ETH: 2000 } };
    expect((await judge({ ...payment, metadata: priced })).context["net_effect"]).toMatchObject({
      leaves: [{ usd: "200.00" }],
      others: [{ party: bob, usd: "200.00" }],
    });
    expect(JSON.stringify((await judge(payment)).context["net_effect"])).not.toContain("usd");
  });

  test.each([
    ["another recipient", { proposed_tx: { to: thief, value: tenth } }, "intent_alignment.recipient_match"],
    [
      "another amount",
      { proposed_tx: { to: bob, value: "1000000000000000000" } },
      "intent_alignment.amount_match",
    ],
    ["another chain", { human_intent: `${payment.human_intent} on Base` }, "intent_alignment.chain_match"],
    [
      "a hidden second call",
      { proposed_tx: { transactions: [payment.proposed_tx, { to: thief, value: tenth }] } },
      "adversarial_detection.hidden_call",
    ],
  ])("200: %s rejects and names the check", async (_name, change, node) => {
    const verdict = await judge({ ...payment, ...change });
    expect(verdict).toMatchObject({ decision: "REJECT", primary_failure_node: node });
    expect(verdict.results[node]).toMatchObject({ status: "FAIL", reasoning: verdict.reason });
    expect(verdict.explanation.key_issues[0]).toMatchObject({ node });
    expect(verdict.explanation.affected_nodes[node.slice(0, node.indexOf("."))]).toContain(node);
    expect(verdict.explanation.recommendations.length).toBeGreaterThan(0);
  });

  test("200: an integer of any length keeps every digit", async () => {
    const body = JSON.stringify(payment).replace(`"${tenth}"`, "100000000000000001");
    const verdict = await judge(body);
    expect(verdict.primary_failure_node).toBe("intent_alignment.amount_match");
    expect(verdict.reason).toContain("0.100000000000000001 ETH");
  });

  test("200: an address may carry its checksum", async () => {
    const words = "Send 0.1 ETH to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
    expect(await judge({ ...payment, human_intent: words })).toMatchObject({ decision: "PASS" });
  });

  test("200: preferences are reported and change nothing", async () => {
    const verdict = await judge({
      ...payment,
      preferences: { protocol_allowlist: ["nothing"] },
      return_prompts: true,
    });
    expect(verdict.decision).toBe("PASS");
    expect(verdict.context).toMatchObject({
      preferences_ignored: { protocol_allowlist: ["nothing"] },
      prompts: [],
    });
  });

  test("200: reports what was not checked, with the reason", async () => {
    const { context } = await judge(payment);
    expect(context["not_checked"]).toContainEqual({
      node: "technical_invariants.simulation_result",
      why: "No state of the chain was sent, so nothing was simulated.",
      kind: "disabled",
    });
  });

  test("200: a transaction of which a part has no sentence is not described", async () => {
    const transactions = [payment.proposed_tx, { to: bob, data: "0x12345678" }];
    expect((await judge({ ...payment, proposed_tx: { transactions } })).context["described"]).toBeNull();
  });

  test("200: nothing to sign is a rejection, not an error", async () => {
    const verdict = await judge({ human_intent: payment.human_intent });
    expect(verdict.primary_failure_node).toBe("technical_invariants.payload_present");
  });

  test.each([
    ["no words", {}],
    ["words that are a number", { human_intent: 5 }],
    ["a transaction that is a list", { human_intent: "Send", proposed_tx: [] }],
    ["broken JSON", "{"],
    ["a body nested without end", "[".repeat(100_000)],
    ["no body", ""],
    ["two megabytes", JSON.stringify({ human_intent: "a".repeat(3_000_000) })],
  ])("422: %s", async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(Object.keys((await answer.json()) as object)).toEqual(["detail"]);
  });

  test("422: a body that is not JSON", async () => {
    expect((await post("human_intent=Send", "text/plain")).status).toBe(422);
  });

  test("503: before its tables are loaded", async () => {
    const early = await makeService(makeApp(loadConfig(Config, {}), silent).service);
    const answer = await early.inject({ method: "POST", url: "/validate", payload: payment });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ detail: "The service is not ready" });
    expect(answer.headers["retry-after"]).toBe("1");
  });

  test("503: when no worker is free and the queue is full", async () => {
    const answer = await askOf({ check: () => Promise.reject(new PoolBusy("the queue is full")) });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ detail: "Too many requests are being checked. Try again in a second." });
    expect(answer.headers["retry-after"]).toBe("1");
  });

  test("500: an unexpected error reveals nothing", async () => {
    const answer = await askOf({ check: () => Promise.reject(new Error("secret")) });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ detail: "Internal server error" });
  });
});

const unused = () => Promise.reject(new Error("not asked"));
const askOf = async (checker: Partial<Pick<Checker, "check" | "describe">>, url = "/validate") => {
  const routes = validateRoutes({
    checker: { about: () => about, check: unused, describe: unused, ...checker },
  });
  const service = await makeService({ ...app.service, routes });
  return service.inject({ method: "POST", url, payload: payment });
};

describe("POST /public/validate", () => {
  const postPublic = (body: unknown): Promise<Response> => post(body, "application/json", "/public/validate");
  test("200: the same answer as POST /validate", async () => {
    const [open, known] = await Promise.all([postPublic(payment), post(payment)]);
    expect(open.status).toBe(200);
    const [one, other] = (await Promise.all([open.json(), known.json()])) as [Answer, Answer];
    expect({ ...one, context: null }).toEqual({ ...other, context: null });
  });
  test("200: the longest request that the main service sends", async () => {
    const data = `0x${"ab".repeat(64 * 1024)}`;
    const longest = { ...payment, human_intent: "\u0001".repeat(20_000), proposed_tx: { to: bob, data } };
    expect((await postPublic(longest)).status).toBe(200);
  });
  test("422: a request that is longer than any that the main service sends", async () => {
    const longer = { ...payment, metadata: { note: "a".repeat(320 * 1024) } };
    expect((await postPublic(longer)).status).toBe(422);
    expect((await post(longer)).status).toBe(200);
  });
  test("503: before its tables are loaded", async () => {
    const early = await makeService(makeApp(loadConfig(Config, {}), silent).service);
    const answer = await early.inject({ method: "POST", url: "/public/validate", payload: payment });
    expect(answer.statusCode).toBe(503);
  });
  test("503: when no worker is free and the queue is full", async () => {
    const lanes: string[] = [];
    const check: Checker["check"] = (_, lane) => {
      lanes.push(lane);
      return Promise.reject(new PoolBusy("the queue is full"));
    };
    expect((await askOf({ check }, "/public/validate")).statusCode).toBe(503);
    expect((await askOf({ check })).statusCode).toBe(503);
    expect(lanes).toEqual(["public", "ordinary"]);
  });
  test("500: an unexpected error reveals nothing", async () => {
    const answer = await askOf({ check: () => Promise.reject(new Error("secret")) }, "/public/validate");
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ detail: "Internal server error" });
  });
});

describe("POST /public/describe", () => {
  const { human_intent, ...transaction } = payment;
  const postDescribe = (body: unknown, contentType?: string): Promise<Response> =>
    post(body, contentType, "/public/describe");

  test("200: the request that the transaction answers, which then passes", async () => {
    const answer = await postDescribe(transaction);
    expect(answer.status).toBe(200);
    const described = (await answer.json()) as { readonly request: string };
    const request = `${human_intent} on Ethereum.`;
    expect(described).toEqual({
      request,
      why: null,
      steps: [{ act: "transfer", sentence: request, why: null }],
    });
    expect(await judge({ ...transaction, human_intent: request })).toMatchObject({ decision: "PASS" });
    const stolen = { ...transaction, proposed_tx: { to: thief, value: tenth }, human_intent: request };
    expect(await judge(stolen)).toMatchObject({ decision: "REJECT" });
  });
  test("200: the reason why a transaction has no description", async () => {
    const answer = await postDescribe({ ...transaction, proposed_tx: { to: bob, data: "0x12345678" } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ request: null, steps: [{ act: "opaque", sentence: null }] });
  });
  test("200: an integer of any length keeps every digit", async () => {
    const body = JSON.stringify(transaction).replace(`"${tenth}"`, "100000000000000001");
    expect(await (await postDescribe(body)).json()).toMatchObject({
      request: `Send 0.100000000000000001 ETH to ${bob} on Ethereum.`,
    });
  });
  test("200: a request in words changes nothing", async () => {
    const answer = await postDescribe({ ...transaction, human_intent: "Send everything to the thief" });
    expect(await answer.json()).toMatchObject({ request: `${human_intent} on Ethereum.` });
  });
  test.each([
    ["no transaction", {}],
    ["a transaction that is null", { proposed_tx: null }],
    ["a transaction that is a list", { proposed_tx: [] }],
    ["broken JSON", "{"],
    ["no body", ""],
    ["more than the main service sends", { ...transaction, metadata: { note: "a".repeat(320 * 1024) } }],
  ])("422: %s", async (_name, body) => {
    const answer = await postDescribe(body);
    expect(answer.status).toBe(422);
    expect(Object.keys((await answer.json()) as object)).toEqual(["detail"]);
  });
  test("422: a body that is not JSON", async () => {
    expect((await postDescribe("to=0x", "text/plain")).status).toBe(422);
  });
  test("503: before its tables are loaded", async () => {
    const early = await makeService(makeApp(loadConfig(Config, {}), silent).service);
    const answer = await early.inject({ method: "POST", url: "/public/describe", payload: transaction });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
  });
  test("503: when no worker is free and the queue is full", async () => {
    const busy = () => Promise.reject(new PoolBusy("the queue is full"));
    const answer = await askOf({ describe: busy }, "/public/describe");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ detail: "Too many requests are being checked. Try again in a second." });
    expect(answer.headers["retry-after"]).toBe("1");
  });
  test("500: an unexpected error reveals nothing", async () => {
    const answer = await askOf({ describe: () => Promise.reject(new Error("secret")) }, "/public/describe");
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ detail: "Internal server error" });
  });
});
