import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aPolicy, aPolicyText, setPolicy, signedPolicy } from "../../test/policies.ts";
import { aTestApiWithKeys } from "../../test/api-keys.ts";
import { exceedLimit } from "../../test/test-api.ts";
import { aDecideApi, aPerson, type DecideApi, type Person } from "../../test/transactions/decide-api.ts";

let made: DecideApi;
let api: DecideApi["api"];
let owner: Person;
let other: Person;
beforeAll(async () => {
  made = await aDecideApi();
  ({ api } = made);
  [owner, other] = [await aPerson(made), await aPerson(made)];
});
afterAll(() => made.close());

type Headers = Record<string, string>;
const send = (method: string, url: string, headers: Headers = {}, payload?: object) =>
  api.http.send({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const limited = (method: "GET" | "POST", url: string) => exceedLimit(api, { method, url });
const shop = `eip155:1:0x${"5b".repeat(20)}`;

describe("GET /policies/schema", () => {
  test("200: the schema and the starter rules", async () => {
    const answer = (await send("GET", "/policies/schema", owner.jwt)).json<{ templates: { id: string }[] }>();
    expect(answer).toMatchObject({ schema: expect.stringContaining("namespace Countersign") as string });
    expect(answer.templates.map(({ id }) => id)).toContain("new-recipient");
    expect(answer).toMatchObject({
      invariantSchema: expect.stringContaining("usdToNew") as string,
      invariants: expect.arrayContaining([expect.objectContaining({ id: "control" })]) as object[],
    });
  });
  test("401: with a key", async () => {
    expect((await send("GET", "/policies/schema", owner.agent.headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/policies/schema")).toBe(429);
  });
});

describe("POST /policies/check", () => {
  const check = (payload: object, headers: Headers = owner.jwt) =>
    send("POST", "/policies/check", headers, payload);
  test("200: the rules, and the result of each test", async () => {
    const effects = [{ act: "transfer", recipient: shop, units: "1", decimals: 6 }];
    const tests = [{ name: "a new shop", effects, expect: "ask", by: "new-recipient" }];
    expect((await check({ text: aPolicyText, tests })).json()).toMatchObject({
      valid: true,
      rules: [
        { id: "new-recipient", outcome: "ask", reason: "New recipient" },
        { id: "no-approvals", outcome: "deny" },
      ],
      tests: [{ name: "a new shop", passed: true, outcome: "ask", rules: ["new-recipient"] }],
      untested: ["no-approvals"],
    });
  });
  test("200: a test brings the price that a rule reads", async () => {
    const { templates } = (await send("GET", "/policies/schema", owner.jwt)).json<{
      templates: { id: string; text: string }[];
    }>();
    const text = templates.find(({ id }) => id === "above-1000-dollars")?.text;
    const paid = { act: "transfer", recipient: shop, units: "500000000000000000" };
    const tests = [
      { name: "half an ether", effects: [{ ...paid, price: "2000" }], expect: "allow" },
      { name: "a little more", effects: [{ ...paid, price: "2000.01" }], expect: "ask" },
    ];
    expect((await check({ text, tests })).json()).toMatchObject({
      tests: [{ passed: true }, { passed: true }],
    });
  });
  test("200: the faults of a policy that is not valid, with their positions", async () => {
    const text = aPolicyText.replace("recipient.known", "recipient.knwon");
    expect((await check({ text })).json()).toMatchObject({ valid: false, faults: [{ line: 5 }], rules: [] });
  });
  test("400: a hidden character, too long a text, an unknown time zone", async () => {
    for (const payload of [
      { text: "// \u202E" },
      { text: " ".repeat(20_001) },
      { text: "", timeZone: "Europe/Nowhere" },
      {},
    ])
      expect((await check(payload)).statusCode).toBe(400);
  });
  test("401: without a credential, and with a key", async () => {
    expect((await check({ text: "" }, {})).statusCode).toBe(401);
    expect((await check({ text: "" }, owner.agent.headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/policies/check")).toBe(429);
  });
});

describe("POST /policies/dry-run", () => {
  const dryRun = (payload: object, headers: Headers = owner.jwt) =>
    send("POST", "/policies/dry-run", headers, payload);
  test("200: without past transactions nothing changes", async () => {
    const answer = await dryRun({ text: aPolicyText });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ transactions: 0, counts: { allow: 0, ask: 0, deny: 0 } });
  });
  test("400: a policy that is not valid, and more than a year", async () => {
    const answer = await dryRun({ text: "permit" });
    expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([400, "policies.not-valid"]);
    expect((await dryRun({ text: "", days: 366 })).statusCode).toBe(400);
  });
  test("401: without a credential, and with a key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await dryRun({ text: "" }, headers)).statusCode).toBe(401);
  });
  test("404: compared with an unknown version, and with another account's", async () => {
    const person = await aPerson(made);
    await aPolicy(api, other);
    for (const against of [1, 9])
      expect((await dryRun({ text: "", against }, person.jwt)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/policies/dry-run")).toBe(429);
  });
});

describe("POST /policies/counterexamples", () => {
  const find = (payload: object, headers: Headers = owner.jwt, remoteAddress = "10.9.0.1") =>
    api.http.send({ method: "POST", url: "/policies/counterexamples", headers, payload, remoteAddress });
  type Found = {
    results: { id: string; outcome: string; counterexample: { description: string; test: object } | null }[];
  };
  test("200: a transaction that breaks an invariant, which the policy's own test then shows", async () => {
    const answer = await find({ text: aPolicyText, builtIn: ["night", "unlimited-allowance"] });
    expect(answer.statusCode).toBe(200);
    const { results } = answer.json<Found>();
    expect(results).toMatchObject([
      { id: "unlimited-allowance", outcome: "none", counterexample: null },
      { id: "night", outcome: "broken", counterexample: { test: { expect: "ask" } } },
    ]);
    const tests = [results[1]?.counterexample?.test];
    const checked = await send("POST", "/policies/check", owner.jwt, { text: aPolicyText, tests });
    expect(checked.json()).toMatchObject({ tests: [{ passed: false, outcome: "allow" }] });
  });
  test("200: the owner's own invariant, in the policy's time zone, with the bounds of the search", async () => {
    const own = `@id("evening")\nforbid (principal, action == Countersign::Action::"execute", resource)
when { context.clock.hour == 20 && context.day.usd.greaterThan(decimal("5.0")) };`;
    const answer = await find({ text: "", timeZone: "Asia/Tokyo", invariants: [own] });
    expect(answer.json<Found>().results).toMatchObject([
      {
        ...{ id: "evening", outcome: "broken", vacuous: false },
        counterexample: { description: expect.stringContaining("20:00 (Asia/Tokyo") as string },
        bounds: { notVaried: expect.arrayContaining(["chain"]) as string[] },
      },
    ]);
  });
  test("400: a policy or an invariant that is not valid, with the reason, and an unknown one", async () => {
    const policy = await find({ text: "permit" });
    expect([policy.statusCode, policy.headers["x-error-code"]]).toEqual([400, "policies.not-valid"]);
    const permit = `@id("all")\npermit (principal, action, resource);`;
    const invariant = await find({ text: "", invariants: [permit] });
    expect(invariant.headers["x-error-code"]).toBe("policies.invariant-not-valid");
    expect(invariant.json<{ message: string }>().message).toContain("forbid");
    expect((await find({ text: "", builtIn: ["nothing"] })).statusCode).toBe(400);
  });
  test("401: without a credential, and with a key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await find({ text: "" }, headers, "10.9.0.2")).statusCode).toBe(401);
  });
  test("429: rejects the eleventh search of a minute", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/policies/counterexamples" }, 10)).toBe(429);
  });
  test("503: while other searches wait, and afterwards it answers again", async () => {
    const all = Array.from({ length: 12 }, (_, index) => find({ text: "" }, owner.jwt, `10.9.1.${index}`));
    const answers = await Promise.all(all);
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers).toMatchObject({
      ...{ "retry-after": "10", "x-error-code": "policies.search-unavailable" },
    });
    expect((await find({ text: "" }, owner.jwt, "10.9.2.1")).statusCode).toBe(200);
  });
});

describe("POST /policies/draft", () => {
  test("200: the first version, and the typed data to sign", async () => {
    const answer = await send("POST", "/policies/draft", (await aPerson(made)).jwt, { text: aPolicyText });
    expect(answer.json()).toMatchObject({
      terms: { version: 1, previous: `0x${"00".repeat(32)}`, timeZone: "UTC", text: aPolicyText },
      typedData: { primaryType: "Policy" },
    });
  });
  test("400: a policy that permits, with the reason", async () => {
    const text = `@id("all")\npermit (principal, action, resource);`;
    const answer = await send("POST", "/policies/draft", owner.jwt, { text });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["x-error-code"]).toBe("policies.not-valid");
    expect(answer.json<{ message: string }>().message).toContain("only narrows");
  });
  test("401: with a key", async () => {
    expect((await send("POST", "/policies/draft", owner.agent.headers, { text: "" })).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/policies/draft")).toBe(429);
  });
});

describe("POST /policies", () => {
  test("201: what the wallet signed, and the next version refers to it", async () => {
    const person = await aPerson(made);
    const answer = await setPolicy(api, await signedPolicy(api, person), person.jwt);
    expect(answer.statusCode).toBe(201);
    const first = answer.json<{ digest: string }>();
    expect(first).toMatchObject({ version: 1, text: aPolicyText });
    const next = await signedPolicy(api, person, "");
    expect(next.terms).toMatchObject({ version: 2, previous: first.digest });
    expect((await setPolicy(api, next, person.jwt)).statusCode).toBe(201);
    const listed = (await send("GET", "/policies", person.jwt)).json<{ version: number }[]>();
    expect(listed.map(({ version }) => version)).toEqual([2, 1]);
  });
  test("400: another wallet's signature, other terms, another account or installation", async () => {
    const mine = await signedPolicy(api, owner);
    const theirs = await signedPolicy(api, other);
    const { terms, signature } = mine;
    const cases: readonly (readonly [object, string])[] = [
      [{ terms, signature: theirs.signature }, "policies.wrong-signature"],
      [{ terms: { ...terms, timeZone: "Europe/Berlin" }, signature }, "policies.wrong-signature"],
      [theirs, "policies.other-account"],
      [{ terms: { ...terms, homeChainId: 5 }, signature }, "policies.other-installation"],
      [{ terms: { ...terms, text: "permit" }, signature }, "policies.not-valid"],
    ];
    for (const [payload, code] of cases)
      expect((await setPolicy(api, payload, owner.jwt)).headers["x-error-code"]).toBe(code);
  });
  test("409: the same version again, so that an old policy is not brought back", async () => {
    const person = await aPerson(made);
    const first = await signedPolicy(api, person);
    await setPolicy(api, first, person.jwt);
    await aPolicy(api, person, "");
    const again = await setPolicy(api, first, person.jwt);
    expect(again.headers["x-error-code"]).toBe("policies.not-next");
    expect(again.statusCode).toBe(409);
  });
  test("401: a key sets no policy, although it has the owner's signature", async () => {
    const payload = await signedPolicy(api, owner);
    expect((await setPolicy(api, payload, owner.agent.headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/policies")).toBe(429);
  });
  test("503: if a contract wallet's chain is unavailable", async () => {
    const away = await aTestApiWithKeys({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      const person = await aPerson({ api: away });
      const payload = { ...(await signedPolicy(away, person)), signature: `0x${"ab".repeat(100)}` };
      expect((await setPolicy(away, payload, person.jwt)).statusCode).toBe(503);
    } finally {
      await away.close();
    }
  });
});

describe("GET /policies", () => {
  test("200: the owner's versions, newest first", async () => {
    const person = await aPerson(made);
    await aPolicy(api, person);
    await aPolicy(api, person, "");
    const versionsOf = async ({ jwt }: Person) =>
      (await send("GET", "/policies", jwt)).json<{ version: number }[]>().map(({ version }) => version);
    expect(await versionsOf(person)).toEqual([2, 1]);
    expect(await versionsOf(await aPerson(made))).toEqual([]);
  });
  test("401: without a credential, and with a key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await send("GET", "/policies", headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/policies")).toBe(429);
  });
});

describe("GET /policies/{version}", () => {
  test("200: the version, with its text", async () => {
    const person = await aPerson(made);
    await aPolicy(api, person);
    expect((await send("GET", "/policies/1", person.jwt)).json()).toMatchObject({
      ...{ version: 1, text: aPolicyText },
    });
  });
  test("404: an unknown version, and another account's", async () => {
    const [person, stranger] = [await aPerson(made), await aPerson(made)];
    await aPolicy(api, person);
    expect((await send("GET", "/policies/1", stranger.jwt)).statusCode).toBe(404);
    expect((await send("GET", "/policies/2", person.jwt)).statusCode).toBe(404);
  });
  test("401: without a credential, and with a key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await send("GET", "/policies/1", headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/policies/1")).toBe(429);
  });
  test("400: no number", async () => {
    expect((await send("GET", "/policies/newest", owner.jwt)).statusCode).toBe(400);
  });
});

test("the table refuses to change or delete a signed version", async () => {
  const person = await aPerson(made);
  await aPolicy(api, person);
  for (const statement of [
    "update policies set text = '' where account = $1",
    "delete from policies where account = $1",
  ])
    await expect(made.client.query(statement, [person.account])).rejects.toMatchObject({ code: "42501" });
});
