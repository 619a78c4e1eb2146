// An operator looks whether the system is up: each service answers for itself and for what it leans on.
import assert from "node:assert/strict";
import { addresses } from "../addresses.ts";

const { api, validator } = addresses();

const health = (await (await fetch(`${api}/health`)).json()) as {
  status: string;
  checks: Record<string, string>;
};
console.log("api:", health.status, health.checks);
assert.equal(health.status, "ok");
// Not the engine's own word: a call went through it to a worker of ours and back.
assert.equal(health.checks["engine"], "ok");

const ready = await fetch(`${api}/ready`);
assert.equal(ready.status, 200);

const judge = (await (await fetch(`${validator}/health`)).json()) as {
  status: string;
  llm: { enabled: boolean };
};
console.log("validator:", judge);
assert.equal(judge.status, "ok");

// Every answer carries an id to quote when something goes wrong; a caller may bring its own.
const traced = await fetch(`${api}/no-such-path`, { headers: { "x-request-id": "example-1" } });
assert.equal(traced.headers.get("x-request-id"), "example-1");
assert.deepEqual(await traced.json(), { statusCode: 404, message: "No such resource", error: "Not Found" });
