// The preview of a mandate decides about a past sequence of payments exactly as the service decided about it.
import { seedFor, sizeOf } from "@countersign/tools/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PrivateKeyAccount } from "viem/accounts";
import { aDraft, aMandate, anEffect, asset, find, reportOf, shop, usdc } from "../../../test/mandates.ts";
import { aTestClock, type TestClock } from "../../../test/test-clock.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Transaction } from "../transaction.ts";

const seed = seedFor("MANDATES_SEED");
const numRuns = sizeOf({ part: 4, all: 60 });

let first: DecideApi;
/** A process whose database has the clock of the test. */
let api: Awaited<ReturnType<DecideApi["another"]>>;
let clock: TestClock;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  first = await aDecideApi();
  orion = await aServerKey(first, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(first));
  clock = await aTestClock(first.client);
  api = await first.another();
});
afterAll(async () => {
  await api.close();
  await first.close();
});

type Payment = { readonly amount: number; readonly receiver: string; readonly act: string };
type Step = "seeSuccess" | "reorganise" | "userRejects" | "expireReady" | "seeLateSuccess";
type Command = { readonly pay: Payment } | { readonly step: Step; readonly at: number };
type Timed = { readonly command: Command; readonly seconds: number };

/** The decision of the service, and the room that was left right after it. */
type Decided = {
  readonly transaction: Transaction;
  readonly outcome: "allowed" | "asked";
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly left: readonly string[];
};
type Run = {
  readonly owner: Person;
  readonly mandateId: string;
  readonly decided: Decided[];
};

let number = 0;
async function pay({ owner, mandateId, decided }: Run, { amount, receiver, act }: Payment): Promise<void> {
  const transaction = await aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    ...{ description: `Payment ${++number}.`, tx: { to: owner.account, value: 0n, data: "0x01" } },
  });
  const gives = [{ kind: "token", address: usdc, units: String(amount), decimals: 6 }];
  const { report, reportHash } = reportOf([anEffect({ gives, receiver, act })]);
  const attestation = await anAttestation(transaction, verifier, { reportHash });
  const answer = await post(api, transaction, orion.headers, { decision: "APPROVED", attestation, report });
  expect(answer.statusCode).toBe(201);
  const { granted, needsOwner } = await find(api.store, transaction);
  const { rows } = await first.client.query<{ left: string[] }>(leftNow, [mandateId]);
  decided.push({
    ...{ transaction, outcome: granted ? "allowed" : "asked", left: rows[0]?.left ?? [] },
    reason: needsOwner && { code: needsOwner.code, message: needsOwner.message },
  });
}

/** The room in each limit by the counters and uses that the service wrote, at the time of the test. */
const leftNow = `
  select array_agg(trim_scale(greatest(0, l.most - coalesce(case
    when l.span = 'rolling' then (select sum(amount) from budget_uses u where u.limit_id = l.id and (u.state = 'held'
      or u.state = 'made' and u.changed_at > f.at - make_interval(secs => l.period_seconds)))
    else (select c.reserved + c.spent from budget_counters c where c.limit_id = l.id
      and c.window_start <= f.at and (l.span = 'total'
        or l.span = 'period' and c.window_start > f.at - make_interval(secs => l.period_seconds)
        or l.time_zone is not null and c.window_start = date_trunc(l.span, f.at, l.time_zone))) end, 0))
    / case l.measure when 'count' then 1 else 1000000 end)::text order by l.position) as left
  from mandate_limits l cross join clock.face f where l.mandate_id = $1`;

const phases: Readonly<Record<Step, string>> = {
  ...{ seeSuccess: "READY", reorganise: "CONFIRMING", userRejects: "READY", expireReady: "READY" },
  seeLateSuccess: "FAILED",
};

/** Executes, rejects or expires one of the approved payments, if there is one in that state. */
async function step({ decided }: Run, event: Step, at: number): Promise<void> {
  const stored = await Promise.all(decided.map(({ transaction }) => find(api.store, transaction)));
  const able = stored.filter(({ phase, granted }) => granted && phase === phases[event]);
  const chosen = able[at % Math.max(1, able.length)];
  if (chosen === undefined) return;
  await api.store.change({ id: chosen.id }, () => ({ events: [event] }));
}

const hour = 3600;
const day = 24 * hour;

const anySpan = fc.oneof(
  fc.constantFrom("transaction", "total").map((span) => ({ span, seconds: 0 })),
  fc
    .tuple(fc.constantFrom("period", "rolling"), fc.constantFrom(hour, 7 * hour, day, 3 * day))
    .map(([span, seconds]) => ({ span, seconds })),
  fc
    .tuple(
      fc.constantFrom("day", "week", "month"),
      fc.constantFrom("UTC", "Europe/Berlin", "Pacific/Auckland"),
    )
    .map(([unit, zone]) => ({ span: `${unit} in ${zone}`, seconds: 0 })),
);
const anyLimit = fc.oneof(
  fc
    .tuple(anySpan, fc.integer({ min: 1, max: 60_000_000 }))
    .map(([span, units]) => ({ ...span, measure: asset, most: String(units / 1_000_000), decimals: 6 })),
  fc
    .tuple(anySpan, fc.integer({ min: 0, max: 6 }))
    .map(([span, most]) => ({ ...span, measure: "count", most: String(most), decimals: 0 })),
);
/** Every asset needs a limit over time. */
const bounded = { measure: asset, span: "total", seconds: 0, most: "150", decimals: 6 };
const anyLimits = fc.array(anyLimit, { minLength: 1, maxLength: 3 }).map((limits) => [...limits, bounded]);

const anyPayment = fc.record({
  amount: fc.integer({ min: 1, max: 25_000_000 }),
  receiver: fc.constantFrom(shop, shop, shop, `0x${"0b".repeat(20)}`),
  act: fc.constantFrom("transfer", "transfer", "transfer", "swap"),
});
const anyTimed: fc.Arbitrary<Timed> = fc.record({
  command: fc.oneof(
    { weight: 3, arbitrary: anyPayment.map((payment) => ({ pay: payment })) },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constantFrom<Step>(...(Object.keys(phases) as Step[])),
        at: fc.nat(20),
      }),
    },
  ),
  // Short steps within a window, and long ones into the next.
  seconds: fc.oneof(fc.integer({ min: 1, max: 2 * hour }), fc.integer({ min: hour, max: 2 * day })),
});
const anyHistory = fc.record({
  limits: anyLimits,
  /** Days before now at which it begins: with and without daylight saving time. */
  begins: fc.integer({ min: 80, max: 350 }),
  /** Seconds from then to the mandate's beginning. */
  offset: fc.nat(5 * day),
  timed: fc.array(anyTimed, { minLength: 12, maxLength: 30 }),
});

type Previewed = {
  readonly decisions: readonly {
    readonly requestHash: string;
    readonly outcome: string;
    readonly reason: unknown;
    readonly left: readonly string[];
  }[];
};

test(`previews of ${numRuns} random histories agree with the service (MANDATES_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ limits, begins, offset, timed }) => {
      // The first process may open connections with the test's clock too, and sessions end by it.
      await clock.set(new Date());
      const owner = await aPerson(first);
      let now = Math.floor(Date.now() / 1000) - begins * day;
      const more = { limits, validFrom: now - offset, validUntil: Math.floor(Date.now() / 1000) + 3 * day };
      const { id } = await aMandate(first.api, owner, more);
      const run: Run = { owner, mandateId: id, decided: [] };
      for (const { command, seconds } of timed) {
        now += seconds;
        await clock.set(new Date(now * 1000));
        await ("pay" in command ? pay(run, command.pay) : step(run, command.step, command.at));
      }
      await clock.set(new Date());
      const answer = await first.api.http.send({
        ...{ method: "POST", url: "/mandates/preview", headers: owner.jwt },
        payload: { ...aDraft(owner, more), days: 365 },
      });
      expect(answer.statusCode, answer.body).toBe(200);
      const previewed = answer
        .json<Previewed>()
        .decisions.toReversed()
        .map(({ requestHash, outcome, reason, left }) => ({ requestHash, outcome, reason, left }));
      expect(previewed).toEqual(
        run.decided.map(({ transaction, ...rest }) => ({ requestHash: transaction.requestHash, ...rest })),
      );
    }),
    { numRuns, seed, endOnFailure: true },
  );
}, 600_000);
