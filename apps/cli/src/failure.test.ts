import { ConnectionError, CountersignError, WaitTimeoutError } from "@countersign/sdk";
import { expect, test } from "vitest";
import { Interrupted } from "./errors.ts";
import { failureOf } from "./failure.ts";
import { aService, run } from "../test/run-cli.ts";

test.each([
  [400, 2, "invalid_request"],
  [401, 3, "refused_credential"],
  [403, 3, "not_permitted"],
  [404, 6, "not_found"],
  [409, 1, "refused"],
  [410, 6, "not_found"],
  [418, 1, "refused"],
  [500, 7, "service_failing"],
])("maps status %i to exit code %i, %s", async (status, exitCode, code) => {
  const service = await aService({
    "GET /user-api-keys/self": {
      status,
      body: { statusCode: status, message: "No, because", error: "x" },
      headers: { "x-request-id": "req-1" },
    },
  });
  const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" };
  const ran = await run("whoami --json", { env });
  expect(ran.code).toBe(exitCode);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: { code, status, message: "No, because", requestId: "req-1" },
  });
  expect(ran.stderr).toBe("");
  const shown = await run("whoami", { env });
  expect(shown.stdout).toBe("");
  expect(shown.stderr).toContain("No, because\n");
  expect(shown.stderr).not.toContain("    at ");
});

test("maps network errors to their own code", () => {
  expect(failureOf(new ConnectionError("x"))).toMatchObject({ exitCode: 7, code: "unreachable" });
  expect(failureOf(new WaitTimeoutError("x"))).toMatchObject({ exitCode: 5, code: "not_decided_yet" });
  expect(failureOf(new CountersignError("x"))).toMatchObject({ exitCode: 1, code: "refused" });
  expect(failureOf(new RangeError("x"))).toMatchObject({ exitCode: 1, code: "unexpected" });
});

test("Ctrl-C aborts a pending request", async () => {
  const interruption = new AbortController();
  const service = await aService({
    "GET /user-api-keys/self": () => {
      interruption.abort(new Interrupted());
      return new Promise(() => undefined);
    },
  });
  const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" };
  const ran = await run("whoami --json", { env, signal: interruption.signal });
  expect(ran.code).toBe(130);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: "interrupted" } });
});

test("prints a stack trace on stderr with COUNTERSIGN_DEBUG", async () => {
  const ran = await run("whoami --json", { env: { COUNTERSIGN_DEBUG: "1" } });
  expect(ran.stderr).toContain("    at ");
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: "usage" } });
});

test("escapes control characters in the service's message", async () => {
  const message = "\u001B]0;owned\u0007 \u202Eon";
  const service = await aService({ "GET /user-api-keys/self": { status: 403, body: { message } } });
  const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" };
  expect((await run("whoami", { env })).stderr).toContain("<U+001B>]0;owned<U+0007> <U+202E>on");
});
