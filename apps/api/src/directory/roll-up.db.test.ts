import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sizeOf } from "@countersign/tools/testing";
import { untilSettled } from "../../test/events.ts";
import { statusOfPhase, type Phase } from "../transactions/index.ts";
import { makeRollUp } from "./roll-up.ts";
import { makeRollUpStore } from "./store/roll-up.ts";
import { anAccount, anEvent, aRow, aTestDirectory, type TestDirectory } from "../../test/directory.ts";

type Hex = `0x${string}`;
let directory: TestDirectory;
const others: pg.Client[] = [];

beforeAll(async () => {
  directory = await aTestDirectory();
  for (let count = 0; count < 3; count++) {
    const client = new pg.Client({ connectionString: directory.url });
    await client.connect();
    others.push(client);
  }
});
beforeEach(async () => {
  await directory.client.query(
    "truncate account_events, agent_counts, transactions, request_index, users cascade",
  );
});
afterAll(async () => {
  await Promise.all(others.map((client) => client.end()));
  await directory.close();
});

type Counts = Readonly<Record<string, number>>;
/** All counts by account, hour, metric and name, without zeros. */
async function counts(): Promise<Counts> {
  const { rows } = await directory.client.query<{ key: string; count: string }>(
    `select concat_ws('|', account, to_char(hour at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), metric, name) as key, count
     from agent_counts where count <> 0`,
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, Number(count)]));
}
const totalsOf = (all: Counts): Counts => {
  const totals: Record<string, number> = {};
  for (const [key, count] of Object.entries(all)) {
    const name = key.split("|").slice(2).filter(Boolean).join(" ");
    totals[name] = (totals[name] ?? 0) + count;
  }
  return totals;
};

/** The possible next steps of a proposal, as the lifecycle names them. Some changes combine two of its events. */
type Walk = { readonly phase: Phase; readonly orion: "APPROVED" | "REJECTED" | "UNDECIDED" | null };
type Move = readonly [event: string, phase: Phase, orion?: Walk["orion"]];
function movesFrom({ phase, orion }: Walk): readonly Move[] {
  const pending: readonly Move[] = [
    ["withdraw", "REJECTED"],
    ["expirePending", "REJECTED"],
    ["userRejects", "REJECTED"],
    ["agentApproves", phase],
    ["approval", phase],
    ["learn", phase],
    ...(orion === null
      ? ([
          ["verdictApproved", phase === "REGISTERED" ? "READY" : phase, "APPROVED"],
          ["verdictRejected", phase === "REGISTERED" ? "REJECTED" : phase, "REJECTED"],
          ["verdictUndecided", phase === "REGISTERED" ? "AWAITING" : phase, "UNDECIDED"],
        ] as const)
      : []),
  ];
  const moves: Readonly<Record<string, readonly Move[]>> = {
    RECEIVED: [["pin", "PINNED"], ...pending],
    PINNED: [
      ["register", orion === "REJECTED" ? "REJECTED" : orion === null ? "REGISTERED" : "READY"],
      ...pending,
    ],
    REGISTERED: pending,
    AWAITING: [["userApproves", "READY"], ...pending],
    READY: [
      ["seeSuccess", "CONFIRMING"],
      ["expireReady", "FAILED"],
      ["finalize", "EXECUTED"],
      ["noticeMismatch", "READY"],
    ],
    CONFIRMING: [
      ["reorganise", "READY"],
      ["finalize", "EXECUTED"],
      ["finalize", "FAILED"],
    ],
    FAILED: [
      ["learn", "FAILED"],
      ["seeLateSuccess", "EXECUTED"],
    ],
    EXECUTED: [
      ["settleExecution", "SETTLED"],
      ["learn", "EXECUTED"],
    ],
    SETTLED: [["learn", "SETTLED"]],
    REJECTED: [["learn", "REJECTED"]],
  };
  return moves[phase] ?? [];
}

type Made = { readonly account: Hex; readonly id: string; readonly requestHash: Hex };
type Current = Made &
  Walk & { readonly version: number; readonly names: readonly [string | null, string | null] };

const base = new Date("2026-03-01T00:00:00Z").getTime();

async function begin(client: pg.Client, account: Hex, minute: number): Promise<Current> {
  const at = new Date(base + minute * 60_000);
  const made = { account, ...(await aRow(client, { account, createdAt: at })) };
  await anEvent(client, { ...made, version: 1, event: "propose", phase: "RECEIVED", at });
  return { ...made, phase: "RECEIVED", orion: null, version: 1, names: [null, null] };
}

type Choice = { readonly move: number; readonly minute: number; readonly protocol: number };
const protocols = [null, "uniswap", "aave"] as const;

async function go(client: pg.Client, current: Current, { move, minute, protocol }: Choice): Promise<Current> {
  const moves = movesFrom(current);
  const [event, phase, orion = current.orion] = moves[move % moves.length] ?? ["learn", current.phase];
  const isVerdict = event.startsWith("verdict");
  const names = isVerdict
    ? ([protocols[protocol] ?? null, orion === "REJECTED" ? "some.check" : null] as const)
    : current.names;
  const version = current.version + 1;
  await client.query(
    "update transactions set phase = $2, orion = $3, version = $4, protocol = $5, failure_node = $6 where id = $1",
    [current.id, phase, orion, version, ...names],
  );
  await anEvent(client, { ...current, version, event, phase, at: new Date(base + minute * 60_000) });
  return { ...current, phase, orion, version, names };
}

/** The same counts from the rows alone, without the events. */
async function recount(): Promise<Counts> {
  const { rows } = await directory.client.query<
    Walk & { protocol: string | null; failure_node: string | null }
  >("select phase, orion, protocol, failure_node from transactions");
  const counted: Record<string, number> = {};
  const add = (name: string): void => void (counted[name] = (counted[name] ?? 0) + 1);
  for (const { phase, orion, protocol, failure_node: failure } of rows) {
    add("total");
    if (orion !== null) add(orion.toLowerCase());
    if (protocol !== null) add(`protocol ${protocol}`);
    if (failure !== null) add(`failure ${failure}`);
    if (statusOfPhase[phase] === "EXECUTED") add("executed");
    if (statusOfPhase[phase] === "FAILED") add("failed");
  }
  return counted;
}

const anyStep = fc.record({
  who: fc.nat({ max: 5 }),
  move: fc.nat({ max: 30 }),
  minute: fc.nat({ max: 300 }),
  protocol: fc.nat({ max: 2 }),
  countNow: fc.nat({ max: 9 }),
});

describe("the roll-up", () => {
  test("matches counts from the rows for any history, in batches of any size", async () => {
    const small = makeRollUpStore(directory.database.db);
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) => {
        await directory.client.query(
          "truncate account_events, agent_counts, transactions, request_index cascade",
        );
        const account = await anAccount(directory.client);
        const proposals = new Map<number, Current>();
        for (const { who, countNow, ...choice } of steps) {
          const current = proposals.get(who);
          proposals.set(
            who,
            current === undefined
              ? await begin(directory.client, account, choice.minute)
              : await go(directory.client, current, choice),
          );
          if (countNow === 0) await small.countNext(3);
        }
        await directory.countAll();
        const counted = await counts();
        expect(totalsOf(counted)).toEqual(await recount());
        expect(Object.values(counted).every((count) => count > 0)).toBe(true);
      }),
      { numRuns: sizeOf({ part: 12, all: 40 }) },
    );
  });

  test("assigns each event to its hour, and removes a corrected failure from the hour it was counted in", async () => {
    const account = await anAccount(directory.client);
    const row = await begin(directory.client, account, 59);
    const of = async (event: string, phase: Phase, minute: number, version: number): Promise<void> =>
      anEvent(directory.client, { ...row, version, event, phase, at: new Date(base + minute * 60_000) });
    await of("verdictApproved", "READY", 60, 2);
    await of("expireReady", "FAILED", 125, 3);
    await of("learn", "FAILED", 185, 4);
    await directory.countAll();
    const before = {
      [`${account}|2026-03-01 00:00|total|`]: 1,
      [`${account}|2026-03-01 01:00|approved|`]: 1,
    };
    expect(await counts()).toEqual({ ...before, [`${account}|2026-03-01 02:00|failed|`]: 1 });
    await of("seeLateSuccess", "EXECUTED", 245, 5);
    await of("settleExecution", "SETTLED", 246, 6);
    await directory.countAll();
    expect(await counts()).toEqual({ ...before, [`${account}|2026-03-01 04:00|executed|`]: 1 });
  });

  test("skips no event that is committed late under an early id", async () => {
    const [slow, quick] = others as [pg.Client, pg.Client];
    const account = await anAccount(directory.client);
    await slow.query("begin");
    await begin(slow, account, 1);
    await begin(quick, account, 1);
    // The first transaction is open, so later events wait. Otherwise the first would never be counted.
    expect(await directory.rollUp()).toBe(0);
    await slow.query("commit");
    expect(await directory.countAll()).toBe(2);
    expect(totalsOf(await counts())).toEqual({ total: 2 });
  });

  test("counts each event once while several processes count and others write", async () => {
    const account = await anAccount(directory.client);
    const writing = others.map(async (client) => {
      for (let count = 0; count < 40; count++) {
        await client.query("begin");
        const current = await begin(client, account, count);
        await go(client, await go(client, current, { move: 0, minute: 1, protocol: 0 }), {
          move: 7,
          minute: 2,
          protocol: 1,
        });
        await client.query(count % 10 === 9 ? "rollback" : "commit");
      }
    });
    const is = { over: false };
    const store = makeRollUpStore(directory.database.db);
    const counting = Array.from({ length: 4 }, async () => {
      while (!is.over) await store.countNext(7);
    });
    await Promise.all(writing);
    is.over = true;
    await Promise.all(counting);
    await directory.countAll();
    const expected = await recount();
    expect(expected).toMatchObject({ total: 108 });
    expect(totalsOf(await counts())).toEqual(expected);
  });

  test("does nothing while another process counts, and does not wait", async () => {
    const [other] = others as [pg.Client];
    const account = await anAccount(directory.client);
    await begin(directory.client, account, 1);
    await other.query("begin");
    await other.query("select from agent_counts_cursor for update");
    expect(await directory.rollUp()).toBe(0);
    await other.query("rollback");
    expect(await directory.countAll()).toBe(1);
    expect(await directory.rollUp()).toBe(0);
  });

  test("leaves neither counts nor a new position when it fails midway", async () => {
    const account = await anAccount(directory.client);
    await begin(directory.client, account, 1);
    await directory.client.query("alter table agent_counts add constraint broken check (metric <> 'total')");
    await untilSettled({ databaseUrl: directory.url });
    await expect(directory.rollUp()).rejects.toThrow("broken");
    await directory.client.query("alter table agent_counts drop constraint broken");
    expect(await directory.countAll()).toBe(1);
    expect(totalsOf(await counts())).toEqual({ total: 1 });
  });

  test("continues batch by batch until it has caught up", async () => {
    const asked: number[] = [];
    const left = [1000, 1000, 12];
    const rollUp = makeRollUp({
      store: { countNext: async (limit) => (asked.push(limit), left.shift() ?? 0) },
    });
    expect(await rollUp()).toBe(2012);
    expect(asked).toEqual([1000, 1000, 1000]);
  });
});
