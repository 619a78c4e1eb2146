import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { policyTypedData, type Policy } from "@countersign/wire";
import { recoverTypedDataAddress, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const walletKey = "12".repeat(32);
const owner = privateKeyToAccount(`0x${walletKey}`);
const text = `@id("a")\nforbid (principal, action, resource);\n`;
const terms: Policy = {
  ...{ account: owner.address, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, version: 3 },
  ...{ previous: `0x${"5a".repeat(32)}`, timeZone: "UTC", text },
};
const policy = { ...terms, digest: "0x1", signature: "0x2", createdAt: "2026-11-15T10:00:00.000Z" };
const checked = {
  ...{ valid: true, faults: [], rules: [{ id: "a", outcome: "ask", reason: "Because \u001B[31m" }] },
  ...{ tests: [{ name: "one", passed: false, outcome: "allow", rules: [] }], untested: ["a"] },
};

async function asOwner(routes: Readonly<Record<string, Reply>>) {
  const service = await aService(routes);
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  const file = join(configDirectory, "policy.cedar");
  await writeFile(file, text);
  return { service, file, options: { configDirectory, env: { COUNTERSIGN_WALLET_KEY: walletKey } } };
}

test("check shows rules and tests, and fails if a test does", async () => {
  const { service, file, options } = await asOwner({ "POST /policies/check": { body: checked } });
  const tests = join(options.configDirectory, "tests.json");
  await writeFile(tests, `[{"name":"one"}]`);
  const ran = await run(`policies check ${file} --tests ${tests} --time-zone Europe/Berlin`, options);
  expect(ran.code).toBe(4);
  expect(ran.stdout).toContain("asks   a: Because <U+001B>[31m");
  expect(ran.stdout).toContain("FAILED one: allow");
  expect(ran.stdout).toContain("no test: a");
  expect(service.asked.at(-1)?.body).toEqual({ text, timeZone: "Europe/Berlin", tests: [{ name: "one" }] });
});

test("check shows each fault with its position", async () => {
  const fault = { message: "not found", help: "did you mean amount?", line: 2, column: 7 };
  const body = { ...checked, valid: false, faults: [fault], rules: [], tests: [] };
  const { file, options } = await asOwner({ "POST /policies/check": { body } });
  const ran = await run(`policies check ${file}`, options);
  expect(ran).toMatchObject({ code: 4, stdout: "2:7 not found (did you mean amount?)\n" });
});

test("check needs files that can be read, and tests as JSON", async () => {
  const { file, options } = await asOwner({});
  expect((await run("policies check /nowhere.cedar", options)).code).toBe(2);
  expect((await run(`policies check ${file} --tests ${file}`, options)).code).toBe(2);
});

test("dry-run shows what changes, compared with a version", async () => {
  const counts = { allow: 1, ask: 1, deny: 0 };
  const change = { requestHash: "0x1", description: "Pay Ann", at: "2026-11-15", from: "allow", to: "ask" };
  const body = {
    ...{ transactions: 2, since: "2026-10-15", counts, before: { allow: 2, ask: 0, deny: 0 }, unused: ["b"] },
    changed: [{ ...change, rules: ["a"], message: "New recipient" }],
  };
  const { service, file, options } = await asOwner({ "POST /policies/dry-run": { body } });
  const ran = await run(`policies dry-run ${file} --against 2`, options);
  expect(ran.stdout).toContain("2 transactions: 1 allowed, 1 asked, 0 denied");
  expect(ran.stdout).toContain("allow → ask: Pay Ann (New recipient)");
  expect(service.asked.at(-1)?.body).toEqual({ text, timeZone: "UTC", days: 30, against: 2 });
  expect((await run(`policies dry-run ${file} --days many`, options)).code).toBe(2);
});

const searched = {
  ...{
    id: "a",
    title: "Never \u001B[31m",
    outcome: "none",
    counterexample: null,
    vacuous: false,
    reason: null,
  },
  bounds: {
    facts: [{ fact: "amount", count: 6, values: ["1 token"] }],
    ...{ combinations: "144", tried: 11, notVaried: ["clock"] },
  },
};
const counterexample = { description: "A transfer of 5 tokens.", test: { name: "a", expect: "ask" } };

test.each([
  ["a counterexample with its test", { outcome: "broken", counterexample }, 4, 'as a test: {"name":"a"'],
  ["none within the bounds", {}, 0, "none    Never <U+001B>[31m (144 combinations)"],
  ["that the result says little", { vacuous: true }, 0, "even without a policy"],
  ["a search that a limit ended", { outcome: "stopped" }, 5, "stopped Never"],
  [
    "a rule that is not evaluated",
    { outcome: "not-searched", reason: "ip()", bounds: null },
    5,
    "skipped Never",
  ],
])("counterexamples shows %s", async (_name, more, code, expected) => {
  const body = { results: [{ ...searched, ...more }] };
  const { service, file, options } = await asOwner({ "POST /policies/counterexamples": { body } });
  const ran = await run(`policies counterexamples ${file} --invariant ${file} --built-in control`, options);
  expect(ran.code).toBe(code);
  expect(ran.stdout).toContain(expected);
  expect(service.asked.at(-1)?.body).toEqual({
    ...{ text, timeZone: "UTC", invariants: [text], builtIn: ["control"] },
  });
});

test("counterexamples states what was varied and what was not", async () => {
  const { file, options } = await asOwner({
    "POST /policies/counterexamples": { body: { results: [searched] } },
  });
  const { stdout } = await run(`policies counterexamples ${file}`, options);
  expect(stdout).toContain("Values tried: amount 6.\nNot varied: clock.");
});

test("set shows the policy, asks, and signs exactly it", async () => {
  const { service, file, options } = await asOwner({
    "POST /policies/draft": { body: { terms, typedData: {}, digest: "0x1" } },
    "POST /policies": { status: 201, body: policy },
  });
  const kept = await run(`policies set ${file}`, { ...options, isTerminal: true, answers: [false] });
  expect(kept.code).toBe(4);
  expect(kept.stderr).toContain("forbid (principal, action, resource);");
  const ran = await run(`policies set ${file} --yes`, options);
  expect(ran).toMatchObject({ code: 0, stdout: "Version 3 is set.\n" });
  const { signature } = service.asked.at(-1)?.body as { signature: Hex };
  expect(await recoverTypedDataAddress({ ...policyTypedData(terms), signature })).toBe(owner.address);
});

test("set needs the owner's wallet", async () => {
  const { file, options } = await asOwner({});
  expect((await run(`policies set ${file}`, { configDirectory: options.configDirectory })).code).toBe(3);
});

test("list and templates show what the service has", async () => {
  const template = { id: "a", title: "Never", text };
  const { options } = await asOwner({
    "GET /policies": { body: [policy] },
    "GET /policies/schema": { body: { schema: "namespace", templates: [template] } },
  });
  expect((await run("policies list", options)).stdout).toContain("2026-11-15T10:00:00.000Z");
  expect((await run("policies templates", options)).stdout).toContain("// Never");
});
