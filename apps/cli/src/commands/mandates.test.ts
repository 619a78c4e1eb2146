import { mandateTypedData, type Mandate } from "@countersign/wire";
import { recoverTypedDataAddress, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run, type Reply } from "../../test/run-cli.ts";

const walletKey = "12".repeat(32);
const owner = privateKeyToAccount(`0x${walletKey}`);
const id = "11111111-1111-4111-8111-111111111111";
const asset = "eip155:1/slip44:60";
const terms: Mandate = {
  ...{ account: owner.address, homeChainId: 1, inbox: `0x${"1b".repeat(20)}`, agent: `key:${id}` },
  ...{ purpose: "coffee \u001B[31mfor all", acts: ["transfer"], assets: [asset], recipients: ["*"] },
  limits: [{ measure: asset, span: "period", seconds: 86_400, most: "0.5", decimals: 18 }],
  ...{ validFrom: 1_800_000_000, validUntil: 1_801_000_000, nonce: `0x${"5a".repeat(32)}` },
};
const mandate = {
  ...{ id, agent: terms.agent, status: "ACTIVE", terms, digest: "0x1", signature: "0x2" },
  limits: [{ ...terms.limits[0], reserved: "0.1", spent: "0.2", left: "0.2", windowStart: "" }],
  ...{ createdAt: "2026-11-15T10:00:00.000Z", endedAt: null },
};

async function asOwner(routes: Readonly<Record<string, Reply>>) {
  const service = await aService(routes);
  const configDirectory = await emptyDirectory();
  const session = { accessToken: "access", refreshToken: "refresh" };
  await makeProfiles(configDirectory).change("mine", () => ({ url: service.url, session }));
  return { service, configDirectory, env: { COUNTERSIGN_WALLET_KEY: walletKey } };
}

test("list shows what is left, with text that cannot control the terminal", async () => {
  const { configDirectory } = await asOwner({ "GET /mandates": { body: [mandate] } });
  const ran = await run("mandates list", { configDirectory });
  expect(ran.stdout).toContain("0.2 of 0.5 (period)");
  expect(ran.stdout).toContain("coffee <U+001B>[31mfor all");
  const json = await run("mandates list --json", { configDirectory });
  expect(JSON.parse(json.stdout)).toEqual({ mandates: [mandate] });
});

test.each([
  [{ span: "rolling", seconds: 7200 }, "in any 7200 s"],
  [{ span: "day in Asia/Tokyo", seconds: 0 }, "per day in Asia/Tokyo"],
  [{ span: "total", seconds: 0 }, "in total"],
  [{ span: "transaction", seconds: 0 }, "per transaction"],
] as const)("grant shows a limit over %j", async (span, shown) => {
  const limits = [{ ...terms.limits[0], ...span }];
  const options = await asOwner({ "POST /mandates/draft": { body: { terms: { ...terms, limits } } } });
  const ran = await run("mandates grant", { ...options, stdin: "{}", isTerminal: true, answers: [false] });
  expect(ran.stderr).toContain(`at most:    0.5 ${asset} ${shown}`);
});

test("prices shows each with its source, and says that there are none", async () => {
  const price = {
    ...{ asset: "eip155:1/native", usd: "3000.5", source: "eip155:1:0x5f", usable: false },
    ...{ asOf: "2026-11-15T10:00:00.000Z", readAt: "2026-11-15T10:00:01.000Z" },
  };
  const { configDirectory } = await asOwner({ "GET /prices": { body: [price] } });
  const ran = await run("mandates prices", { configDirectory });
  expect(ran.stdout).toMatch(/eip155:1\/native +3000\.5 +eip155:1:0x5f +2026-11-15T10:00:00.000Z +too old/);
  const none = await asOwner({ "GET /prices": { body: [] } });
  expect((await run("mandates prices", none)).stdout).toContain("No prices.");
});

test("list and requests say if there are none", async () => {
  const { configDirectory } = await asOwner({
    "GET /mandates": { body: [] },
    "GET /mandates/requests": { body: [] },
  });
  expect((await run("mandates list", { configDirectory })).stdout).toBe("No mandates.\n");
  expect((await run("mandates requests", { configDirectory })).stdout).toBe("No open requests.\n");
});

const decision = {
  ...{ requestHash: "0x1", at: "2026-11-15T10:00:00.000Z", description: "buy \u001B[31mcoffee" },
  ...{ outcome: "allowed", from: null, reason: null, left: ["0.1"] },
};
const previewed = {
  ...{ since: "2026-10-16T10:00:00.000Z", transactions: 3, complete: true, before: null },
  counts: { allowed: 2, asked: 1, denied: 0 },
  totals: [{ asset, allowed: "0.4", asked: "1" }],
  limits: [{ ...terms.limits[0], used: "0.4", at: "2026-11-15T10:00:00.000Z" }],
  decisions: [
    { ...decision, outcome: "asked", reason: { code: "OUTSIDE_MANDATE", message: "0.1 of 0.5 left" } },
    { ...decision, from: "asked", description: "changed" },
    { ...decision, description: "not listed" },
  ],
};

test("preview shows what would have been allowed, and lists what is asked about or changes", async () => {
  const { service, ...options } = await asOwner({ "POST /mandates/preview": { body: previewed } });
  const stdin = JSON.stringify({ purpose: "coffee" });
  const ran = await run(`mandates preview --days 7 --against ${id}`, { ...options, stdin });
  expect(ran).toMatchObject({ code: 0 });
  expect(service.asked[0]?.body).toEqual({ purpose: "coffee", days: 7, against: id });
  expect(ran.stdout).toBe(`The last 7 days with this mandate: 3 transactions
2 allowed without you, you are asked about 1

at most 0.4 of 0.5 used: ${asset}, period

2026-11-15 10:00  asks you: 0.1 of 0.5 left
  buy <U+001B>[31mcoffee
2026-11-15 10:00  allowed (was: asks you)
  changed
`);
  const json = await run("mandates preview --json", { ...options, stdin });
  expect(JSON.parse(json.stdout)).toEqual({ preview: previewed });
  expect(service.asked[1]?.body).toEqual({ purpose: "coffee", days: 30 });
});

test("preview says if there is nothing to look at, and compares the counts", async () => {
  const empty = { ...previewed, transactions: 0, decisions: [] };
  const none = await asOwner({ "POST /mandates/preview": { body: empty } });
  const ran = await run("mandates preview", { ...none, stdin: "{}" });
  expect(ran.stdout).toBe("No verified transactions of this agent in the last 30 days.\n");
  const before = { allowed: 0, asked: 2, denied: 1 };
  const compared = await asOwner({
    "POST /mandates/preview": { body: { ...previewed, complete: false, before, decisions: [] } },
  });
  const { stdout } = await run("mandates preview", { ...compared, stdin: "{}" });
  expect(stdout).toContain("3 transactions (only the newest)");
  expect(stdout).toContain(
    "compared with: 0 allowed without you, you are asked about 2, 1 denied by your policy",
  );
});

test.each(["0", "366", "1.5", "week"])("preview rejects --days %s", async (days) => {
  const { service, ...options } = await asOwner({});
  expect((await run(`mandates preview --days ${days}`, { ...options, stdin: "{}" })).code).toBe(2);
  expect(service.asked).toHaveLength(0);
});

test("grant shows the terms, asks, and signs exactly them", async () => {
  const { service, ...options } = await asOwner({
    "POST /mandates/draft": { body: { terms, typedData: {}, digest: "0x1" } },
    "POST /mandates": { status: 201, body: mandate },
  });
  const stdin = JSON.stringify({ purpose: "coffee" });
  const terminal = { ...options, stdin, isTerminal: true };
  const kept = await run("mandates grant", { ...terminal, answers: [false] });
  expect(kept.code).toBe(4);
  expect(kept.stderr).toContain("recipients: ANYONE");
  expect(kept.stderr).toContain(`at most:    0.5 ${asset} every 1 d`);
  expect(service.asked).toHaveLength(1);
  const ran = await run(`mandates grant --request ${id} --replaces ${id}`, { ...terminal, answers: [true] });
  expect(ran).toMatchObject({ code: 0, stdout: `Granted: ${id}\n` });
  const sent = service.asked.at(-1)?.body as { terms: Mandate; signature: Hex; requestId: string };
  expect(sent).toMatchObject({ terms, requestId: id, replaces: id });
  const { signature } = sent;
  expect(await recoverTypedDataAddress({ ...mandateTypedData(terms), signature })).toBe(owner.address);
});

test("grant needs the owner's wallet, and a mandate as JSON", async () => {
  const { configDirectory, env } = await asOwner({});
  expect((await run("mandates grant", { configDirectory, stdin: "{}" })).code).toBe(3);
  const ran = await run("mandates grant", { configDirectory, env, stdin: "100 USDC a day" });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("mandates grant < mandate.json");
});

test("ask sends the draft with the agent's key", async () => {
  const request = { id, agent: terms.agent, draft: { purpose: "coffee" }, createdAt: mandate.createdAt };
  const service = await aService({
    "POST /mandates/requests": { status: 201, body: request },
    "GET /mandates/requests": { body: [request] },
  });
  const env = { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: "k" };
  const ran = await run("mandates ask", { env, stdin: JSON.stringify({ purpose: "coffee" }) });
  expect(ran).toMatchObject({ code: 0, stdout: `Asked: ${id}. The owner decides.\n` });
  expect(service.asked[0]?.body).toEqual({ purpose: "coffee" });
  expect((await run("mandates requests", { env })).stdout).toContain("coffee");
});

test("revoke asks first, and rejects an ID that would change the URL path", async () => {
  const { service, configDirectory } = await asOwner({ [`DELETE /mandates/${id}`]: { body: mandate } });
  const kept = await run(`mandates revoke ${id}`, { configDirectory, isTerminal: true, answers: [false] });
  expect(kept.code).toBe(4);
  expect((await run("mandates revoke ../settings --yes", { configDirectory })).code).toBe(2);
  expect(service.asked).toHaveLength(0);
  expect((await run(`mandates revoke ${id} --yes`, { configDirectory })).code).toBe(0);
  expect(service.asked).toHaveLength(1);
});
