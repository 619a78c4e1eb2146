import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Phase } from "../transactions/index.ts";
import { getAddress } from "viem/utils";
import {
  aHash,
  anAccount,
  anAddress,
  anEvent,
  aRow,
  aTestDirectory,
  bytesOf,
  exceed,
  type NewRow,
  type TestDirectory,
} from "../../test/directory.ts";

type Hex = `0x${string}`;
const now = new Date("2026-03-10T12:30:00Z");
const since = new Date("2026-03-01T08:00:00Z");
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

let directory: TestDirectory;
/** The agent whose numbers the tests know. */
let agent: Hex;
let quiet: Hex;

type Step = readonly [event: string, phase: Phase, at: Date];
/** Adds a row and the events that led to it, beginning with its proposal. */
async function aHistory(given: NewRow, steps: readonly Step[]): Promise<Hex> {
  const [, phase] = steps.at(-1) ?? ["propose", "RECEIVED" as const];
  const [, , createdAt = now] = steps[0] ?? [];
  const row = await aRow(directory.client, { phase, createdAt, ...given });
  for (const [index, [event, stepPhase, at]] of steps.entries())
    await anEvent(directory.client, {
      ...row,
      account: given.account,
      version: index + 1,
      event,
      phase: stepPhase,
      at,
    });
  return row.requestHash;
}

beforeAll(async () => {
  directory = await aTestDirectory({ now: () => now });
  agent = await anAccount(directory.client, { since });
  quiet = await anAccount(directory.client, { since });
  const proposed = (minutes: number): Step => ["propose", "RECEIVED", minutesAgo(minutes)];
  await aHistory(
    { account: agent, orion: "APPROVED", protocol: "uniswap", verdictMs: 1000, executionHash: aHash() },
    [
      proposed(5 * 24 * 60),
      ["verdictApproved", "READY", minutesAgo(5 * 24 * 60 - 1)],
      ["seeSuccess", "CONFIRMING", minutesAgo(5 * 24 * 60 - 2)],
      ["finalize", "EXECUTED", minutesAgo(5 * 24 * 60 - 3)],
      ["settleExecution", "SETTLED", minutesAgo(5 * 24 * 60 - 4)],
    ],
  );
  await aHistory(
    {
      account: agent,
      orion: "REJECTED",
      protocol: "uniswap",
      failureNode: "intent_alignment.amount",
      verdictMs: 3000,
    },
    [proposed(90), ["verdictRejected", "REJECTED", minutesAgo(89)]],
  );
  await aHistory(
    { account: agent, orion: "UNDECIDED", failureNode: "technical_invariants.decoded", verdictMs: 2000 },
    [proposed(20), ["verdictUndecided", "AWAITING", minutesAgo(19)]],
  );
  await aHistory({ account: agent, orion: "APPROVED", protocol: "aave", verdictMs: 9000 }, [
    proposed(10),
    ["verdictApproved", "READY", minutesAgo(9)],
    ["expireReady", "FAILED", minutesAgo(8)],
  ]);
  await aHistory({ account: agent }, [proposed(1)]);
  await aHistory({ account: quiet, createdAt: now }, [proposed(2)]);
  await directory.countAll();
});
afterAll(() => directory.close());

const get = (path: string) => directory.get(`/public/agents/${path}`);

/** An account with a transaction, whose owner has hidden its profile. */
async function aHiddenAccount(): Promise<{ readonly account: Hex; readonly requestHash: Hex }> {
  const account = await anAccount(directory.client, { since });
  const { requestHash } = await aRow(directory.client, { account });
  await directory.client.query(
    "insert into settings (id, account, public_profile) values (gen_random_uuid(), $1, false)",
    [account],
  );
  return { account, requestHash };
}

describe("GET /public/agents/{ethereumAddress}", () => {
  test("200: its address, when it joined, and its counts", async () => {
    const answer = await get(agent);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ethereumAddress: getAddress(agent),
      displayName: null,
      since: since.toISOString(),
      stats: {
        total: 5,
        approved: 2,
        rejected: 1,
        undecided: 1,
        executed: 1,
        failed: 1,
        approvalRate: 0.5,
        medianVerdictMs: 2500,
      },
    });
    expect(answer.headers["cache-control"]).toBe("public, max-age=15");
  });
  test("200: any account, in any letter case, also without transactions", async () => {
    const account = await anAccount(directory.client);
    const { stats } = (await get(getAddress(account))).json<{ stats: object }>();
    expect(stats).toEqual({
      total: 0,
      approved: 0,
      rejected: 0,
      undecided: 0,
      executed: 0,
      failed: 0,
      approvalRate: null,
      medianVerdictMs: null,
    });
    expect((await get(`0x${account.slice(2).toUpperCase()}`)).statusCode).toBe(200);
  });
  test("200: no approval rate while there are no verdicts", async () => {
    expect((await get(quiet)).json()).toMatchObject({ stats: { total: 1, approvalRate: null } });
  });
  test("400: malformed address", async () => {
    expect((await get("0x12")).statusCode).toBe(400);
  });
  test("404: unknown address", async () => {
    expect((await get(anAddress())).statusCode).toBe(404);
  });
  test("404: hidden by its owner", async () => {
    expect((await get((await aHiddenAccount()).account)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, `/public/agents/${quiet}`)).toBe(429);
  });
});

describe("GET /public/agents/{ethereumAddress}/transactions", () => {
  type View = { readonly requestHash: string; readonly createdAt: string };
  test("200: newest first, each with its public members", async () => {
    const answer = await get(`${agent}/transactions`);
    const found = answer.json<View[]>();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("public, max-age=15");
    expect(answer.headers["link"]).toBeUndefined();
    expect(found.map((one) => ({ ...one, requestHash: "" }))[1]).toEqual({
      requestHash: "",
      status: "FAILED",
      chainId: 11_155_111,
      chainWatched: true,
      protocol: "aave",
      decision: "APPROVED",
      executionHash: null,
      createdAt: minutesAgo(10).toISOString(),
      updatedAt: minutesAgo(10).toISOString(),
    });
    expect(found.map(({ createdAt }) => createdAt)).toEqual(
      [1, 10, 20, 90, 5 * 24 * 60].map((minutes) => minutesAgo(minutes).toISOString()),
    );
  });
  test("200: the transaction on the chain is shown once it is executed, not before", async () => {
    const executionHash = aHash();
    const account = await anAccount(directory.client);
    const { requestHash } = await aRow(directory.client, { account, phase: "CONFIRMING", executionHash });
    const shown = async () =>
      (await get(`${account}/transactions`)).json<{ executionHash: string | null }[]>()[0]?.executionHash;
    expect(await shown()).toBeNull();
    await directory.client.query("update transactions set phase = 'EXECUTED' where request_hash = $1", [
      bytesOf(requestHash),
    ]);
    expect(await shown()).toBe(executionHash);
  });
  test("200: pages contain each transaction once, for any page size", async () => {
    const account = await anAccount(directory.client);
    const hashes: string[] = [];
    for (let count = 0; count < 7; count++)
      hashes.unshift((await aRow(directory.client, { account })).requestHash);
    for (const limit of [1, 3, 7, 100]) {
      const seen: string[] = [];
      let next: string | undefined = `/public/agents/${account}/transactions?limit=${limit}`;
      while (next !== undefined) {
        const answer = await directory.get(next);
        seen.push(...answer.json<View[]>().map(({ requestHash }) => requestHash));
        next = /^<https:\/\/api\.example(\/.*)>; rel="next"$/.exec(String(answer.headers["link"]))?.[1];
      }
      expect(seen, String(limit)).toEqual(hashes);
    }
  });
  test("200: at most 100 per page", async () => {
    const account = await anAccount(directory.client);
    for (let count = 0; count < 101; count++) await aRow(directory.client, { account });
    expect((await get(`${account}/transactions`)).json<View[]>()).toHaveLength(100);
  });
  test.each(["limit=0", "limit=101", "limit=-1", "limit=1.5", "limit=x", "limit=", "cursor=", "cursor=x"])(
    "400: %s",
    async (query) => {
      expect((await get(`${agent}/transactions?${query}`)).statusCode).toBe(400);
    },
  );
  test("400: a cursor of another agent's list, and an invented one", async () => {
    const foreign = (await get(`${agent}/transactions`)).json<View[]>()[0]?.requestHash ?? "";
    for (const hash of [foreign, aHash()]) {
      const cursor = Buffer.from(hash.slice(2), "hex").toString("base64url");
      expect((await get(`${quiet}/transactions?cursor=${cursor}`)).statusCode).toBe(400);
    }
  });
  test("404: unknown address", async () => {
    expect((await get(`${anAddress()}/transactions`)).statusCode).toBe(404);
  });
  test("404: hidden by its owner", async () => {
    expect((await get(`${(await aHiddenAccount()).account}/transactions`)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, `/public/agents/${quiet}/transactions`)).toBe(429);
  });
});

describe("GET /public/agents/{ethereumAddress}/transactions/{requestHash}", () => {
  test("200: the same as in the list", async () => {
    for (const listed of (await get(`${agent}/transactions`)).json<{ requestHash: string }[]>()) {
      const answer = await get(`${agent}/transactions/0x${listed.requestHash.slice(2).toUpperCase()}`);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual(listed);
      expect(answer.headers["cache-control"]).toBe("public, max-age=15");
    }
  });
  test("400: malformed address", async () => {
    expect((await get(`x/transactions/${aHash()}`)).statusCode).toBe(400);
  });
  test("404: the same for another agent's hash, an unknown hash, a malformed hash and an unknown address", async () => {
    const foreign = (await get(`${agent}/transactions`)).json<{ requestHash: string }[]>()[0]?.requestHash;
    const answers = await Promise.all(
      [foreign ?? "", aHash(), "0x12", "x"].map((hash) => get(`${quiet}/transactions/${hash}`)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await get(`${anAddress()}/transactions/${foreign}`)).statusCode).toBe(404);
  });
  test("404: hidden by its owner, although the hash is known", async () => {
    const { account, requestHash } = await aHiddenAccount();
    expect((await get(`${account}/transactions/${requestHash}`)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, `/public/agents/${quiet}/transactions/${aHash()}`)).toBe(429);
  });
});

describe("GET /public/agents/{ethereumAddress}/metrics", () => {
  type Bucket = Readonly<Record<"total" | "approved" | "rejected" | "undecided", number>> & { start: string };
  type Metrics = { period: string; from: string; to: string; buckets: Bucket[] };
  const ask = async (period?: string) =>
    (await get(`${agent}/metrics${period === undefined ? "" : `?period=${period}`}`)).json<Metrics>();
  const sum = ({ buckets }: Metrics) =>
    (["total", "approved", "rejected", "undecided"] as const).map((name) =>
      buckets.reduce((all, bucket) => all + bucket[name], 0),
    );

  test("200: thirty days by default", async () => {
    const answer = await get(`${agent}/metrics`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("public, max-age=15");
    const metrics = answer.json<Metrics>();
    expect(metrics).toMatchObject({
      period: "30d",
      from: "2026-02-08T12:00:00.000Z",
      to: now.toISOString(),
      topProtocols: [
        { name: "uniswap", count: 2 },
        { name: "aave", count: 1 },
      ],
      topFailureNodes: [
        { name: "intent_alignment.amount", count: 1 },
        { name: "technical_invariants.decoded", count: 1 },
      ],
    });
    expect(metrics.buckets).toHaveLength(31);
    expect(sum(metrics)).toEqual([5, 2, 1, 1]);
  });
  test("200: 24 hours by the hour, including empty ones, without earlier events", async () => {
    const metrics = await ask("24h");
    expect(metrics.buckets).toHaveLength(25);
    expect(metrics.buckets.slice(-3)).toEqual([
      { start: "2026-03-10T10:00:00.000Z", total: 0, approved: 0, rejected: 0, undecided: 0 },
      { start: "2026-03-10T11:00:00.000Z", total: 1, approved: 0, rejected: 1, undecided: 0 },
      { start: "2026-03-10T12:00:00.000Z", total: 3, approved: 1, rejected: 0, undecided: 1 },
    ]);
    expect(sum(metrics)).toEqual([4, 1, 1, 1]);
    expect(metrics).toMatchObject({ topProtocols: [{ count: 1 }, { count: 1 }] });
  });
  test("200: seven days, and everything since the account was created", async () => {
    const [week, all] = [await ask("7d"), await ask("all")];
    expect([week.buckets.length, all.buckets.length]).toEqual([8, 10]);
    expect([sum(week), sum(all)]).toEqual([
      [5, 2, 1, 1],
      [5, 2, 1, 1],
    ]);
    expect(all.from).toBe("2026-03-01T00:00:00.000Z");
  });
  test.each([
    ["24h", "2026-03-09"],
    ["7d", "2026-03-03"],
    ["30d", "2026-02-08"],
  ])(
    "200: %s counts from the hour in which the period begins, and nothing before it",
    async (period, day) => {
      const account = await anAccount(directory.client, { since: new Date("2026-01-01T00:00:00Z") });
      await aHistory({ account }, [["propose", "RECEIVED", new Date(`${day}T12:00:00Z`)]]);
      await aHistory({ account }, [["propose", "RECEIVED", new Date(`${day}T11:59:59Z`)]]);
      await directory.countAll();
      const { from, buckets } = (await get(`${account}/metrics?period=${period}`)).json<Metrics>();
      expect(from).toBe(`${day}T12:00:00.000Z`);
      expect(buckets[0]).toMatchObject({ start: from, total: 1 });
      expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(1);
    },
  );
  test("200: an old account is counted by month", async () => {
    const account = await anAccount(directory.client, { since: new Date("2024-06-15T00:00:00Z") });
    await aHistory({ account }, [["propose", "RECEIVED", new Date("2024-06-30T23:59:59Z")]]);
    await aHistory({ account }, [["propose", "RECEIVED", new Date("2024-07-01T00:00:00Z")]]);
    await directory.countAll();
    const { buckets } = (await get(`${account}/metrics?period=all`)).json<Metrics>();
    expect(buckets).toHaveLength(22);
    expect(buckets.slice(0, 3).map(({ start, total }) => [start, total])).toEqual([
      ["2024-06-01T00:00:00.000Z", 1],
      ["2024-07-01T00:00:00.000Z", 1],
      ["2024-08-01T00:00:00.000Z", 0],
    ]);
  });
  test.each(["1h", "30D", "", "all%20", "24h&period=7d"])("400: a period of %j", async (period) => {
    expect((await get(`${agent}/metrics?period=${period}`)).statusCode).toBe(400);
  });
  test("404: unknown address", async () => {
    expect((await get(`${anAddress()}/metrics`)).statusCode).toBe(404);
  });
  test("404: hidden by its owner", async () => {
    expect((await get(`${(await aHiddenAccount()).account}/metrics`)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceed(directory, `/public/agents/${quiet}/metrics`)).toBe(429);
  });
});

// Published data cannot be withdrawn. This guards against columns and queries that are added later.
describe("private data", () => {
  const marks = new Map<string, Buffer>();
  const mark = (column: string, length = 20): Buffer => {
    const bytes = randomBytes(length);
    marks.set(column, bytes);
    return bytes;
  };
  const text = (column: string): string => mark(column).toString("hex");
  const address = (column: string): string => `0x${text(column)}`;
  /** The marker in plain form and in encodings that might leak it. */
  const tracesOf = (bytes: Buffer): readonly string[] =>
    (["hex", "base64", "base64url"] as const).map((encoding) => bytes.toString(encoding).replace(/=+$/, ""));

  test("appears in no public answer, whichever column contains it", async () => {
    const { client } = directory;
    const account = await anAccount(client);
    const serviceInbox = anAddress();
    await client.query(
      `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
       values (77, 1, 'service 77', $1, true, $2, $3)`,
      [serviceInbox, "12".repeat(20), `https://x.example/${text("key_uri")}`],
    );
    const planted = {
      escrow: address("escrow"),
      proposer: `key:${text("proposer")}`,
      description: text("description"),
      to_address: address("to_address"),
      value: BigInt(`0x${text("value")}`).toString(),
      data: mark("data", 40),
      data_hash: mark("data_hash", 32),
      salt: mark("salt", 32),
      envelope: mark("envelope", 100),
      content_digest: mark("content_digest", 32),
      unsealed_extras: JSON.stringify({ contextLogs: { note: text("unsealed_extras") } }),
      service_id: 77,
      reason: text("reason"),
      alert: text("alert"),
      execution_block_hash: mark("execution_block_hash", 32),
      user: "APPROVED",
      admin: "APPROVED",
      agent: "APPROVED",
    };
    const paths: string[] = [];
    for (const phase of ["AWAITING", "READY", "CONFIRMING", "REJECTED", "EXECUTED", "FAILED"] as const) {
      const row = await aRow(client, {
        account,
        phase,
        orion: "APPROVED",
        protocol: "uniswap",
        failureNode: "named.in.metrics",
        executionHash: aHash(),
        more: planted,
      });
      await plantBeside(row.id, account);
      await anEvent(client, { ...row, account, version: 1, event: "propose", phase });
      await anEvent(client, { ...row, account, version: 2, event: "verdictApproved", phase });
      marks.set(`id ${phase}`, Buffer.from(row.id.replaceAll("-", ""), "hex"));
      paths.push(`${account}/transactions/${row.requestHash}`);
    }
    await directory.countAll();
    paths.push(account, `${account}/transactions`, `${account}/transactions?limit=1`);
    for (const period of ["24h", "7d", "30d", "all"]) paths.push(`${account}/metrics?period=${period}`);
    const urls = [
      ...paths.map((path) => `/public/agents/${path}`),
      `/public/agents/${anAddress()}`,
      "/public/agents/x/metrics",
      "/verification-services",
      "/verification-services/active",
      "/verification-services/77",
      `/verification-services/inbox/${serviceInbox}`,
      `/verification-services/pgp-public-key/${"12".repeat(20)}`,
    ];
    const answers = await Promise.all(urls.map((url) => directory.get(url)));
    const said = answers.map(({ headers, body }) => `${JSON.stringify(headers)}\n${body}`).join("\n");
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(urls.length - 2);
    expect(marks.size).toBeGreaterThan(20);
    const lower = said.toLowerCase();
    const found = [...marks].filter(([, bytes]) =>
      [...tracesOf(bytes), BigInt(`0x${bytes.toString("hex")}`).toString()].some(
        (trace) => said.includes(trace) || lower.includes(trace.toLowerCase()),
      ),
    );
    expect(found.map(([column]) => column)).toEqual([]);
    // Proves that the search finds public values.
    expect(lower).toContain("uniswap");
  });

  async function plantBeside(id: string, account: Hex): Promise<void> {
    const { client } = directory;
    const once = (column: string): string => (marks.get(column) ?? mark(column)).toString("hex");
    await client.query(
      `insert into approvals (id, account, transaction_id, kind, decision, type, approver, analysis, attestation, report_hash)
       values (gen_random_uuid(), $1, $2, 'orion', 'APPROVED', 'orion', $3, $4, $5, $6)`,
      [
        account,
        id,
        once("approver"),
        once("analysis"),
        JSON.stringify({ signature: once("attestation") }),
        Buffer.from(marks.get("report_hash") ?? mark("report_hash", 32)),
      ],
    );
    await client.query("insert into reports (transaction_id, account, report) values ($1, $2, $3)", [
      id,
      account,
      JSON.stringify({ report: once("report") }),
    ]);
    await client.query(
      "insert into orion_metadata (transaction_id, account, tee_proof, settlement) values ($1, $2, $3, $4)",
      [id, account, JSON.stringify({ a: once("tee_proof") }), JSON.stringify({ a: once("settlement") })],
    );
  }
});
