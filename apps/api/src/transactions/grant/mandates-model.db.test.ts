// For any sequence of grants, payments, executions, failures, revocations, replacements, prices and passing windows, the service
// approves exactly what a plain model of the mandates allows.
import { seedFor, sizeOf } from "@countersign/tools/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PrivateKeyAccount } from "viem/accounts";
import {
  aMandate,
  anEffect,
  asset,
  audit,
  find,
  grant,
  reportOf,
  signed,
  type Granted,
} from "../../../test/mandates.ts";
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
import type { LifecycleEvent } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";

const seed = seedFor("MANDATES_SEED");
const numRuns = sizeOf({ part: 3, all: 100 });

let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(api));
});
afterAll(() => api.close());

/** `dollars`: a limit in total. Null if the mandate has none. */
type Limits = { readonly total: number; readonly hourly: number; readonly dollars: number | null };
type ModelMandate = Limits & { readonly id: string; isLive: boolean; window: number };
type Payment = {
  readonly transaction: Transaction;
  readonly amount: number;
  /** Its worth when it was approved. */
  cents: number;
  phase: "AWAITING" | "READY" | "CONFIRMING" | "EXECUTED" | "FAILED" | "REJECTED";
  mandate: ModelMandate | undefined;
  window: number;
};
/** `price`: cents for a whole token. Null while none is known. */
type Model = { readonly mandates: ModelMandate[]; readonly payments: Payment[]; price: number | null };

const counts = ({ phase }: Payment): boolean => ["READY", "CONFIRMING", "EXECUTED"].includes(phase);

/** Whether the mandate has room for the amount in all of its limits. */
function hasRoom(mandate: ModelMandate, { payments, price }: Model, amount: number): boolean {
  const used = payments.filter((one) => one.mandate === mandate && counts(one));
  const sum = (list: readonly Payment[]): number => list.reduce((all, one) => all + one.amount, amount);
  return (
    sum(used) <= mandate.total &&
    (mandate.dollars === null ||
      (price !== null &&
        used.reduce((all, one) => all + one.cents, amount * price) <= mandate.dollars * 100)) &&
    sum(used.filter(({ window }) => window === mandate.window)) <= mandate.hourly
  );
}

/** Approves a payment under the newest live mandate with room, or leaves it to the owner. */
function decide(model: Model, payment: Payment): void {
  payment.phase = "AWAITING";
  payment.mandate = undefined;
  const found = model.mandates.findLast((one) => one.isLive && hasRoom(one, model, payment.amount));
  if (found === undefined && model.mandates.length > 0) return;
  const cents = payment.amount * (model.price ?? 0);
  Object.assign(payment, { phase: "READY", mandate: found, window: found?.window ?? 0, cents });
}

function end(model: Model, mandate: ModelMandate): readonly Payment[] {
  mandate.isLive = false;
  return model.payments.filter((one) => one.mandate === mandate && one.phase === "READY");
}

/** Releases first one, then decides about it, as the service does one after another. */
function decideAgain(model: Model, payments: readonly Payment[]): void {
  for (const payment of payments) decide(model, payment);
}

const limitsOf = ({ total, hourly, dollars }: Limits) => ({
  limits: [
    { measure: asset, span: "total", most: String(total), decimals: 6 },
    { measure: asset, span: "period", seconds: 3600, most: String(hourly), decimals: 6 },
    ...(dollars === null ? [] : [{ measure: "usd", span: "total", most: String(dollars), decimals: 2 }]),
  ],
});

let number = 0;
async function pay(owner: Person, amount: number): Promise<Transaction> {
  const transaction = await aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
    ...{ description: `Payment ${++number}.`, tx: { to: owner.account, value: 0n, data: "0x01" } },
  });
  const gives = [
    { kind: "token", address: asset.split(":").at(-1), units: String(amount * 1_000_000), decimals: 6 },
  ];
  const { report, reportHash } = reportOf([anEffect({ gives })]);
  const attestation = await anAttestation(transaction, verifier, { reportHash });
  const answer = await post(api, transaction, orion.headers, { decision: "APPROVED", attestation, report });
  expect(answer.statusCode).toBe(201);
  return transaction;
}

const change = (payment: Payment, ...events: readonly LifecycleEvent[]) =>
  api.store.change({ id: payment.transaction.id }, () => ({ events }));

/** Moves the counters of past windows back by an hour, in two steps so that no two meet. */
async function passWindow({ id }: ModelMandate): Promise<void> {
  const isOfPeriod = "limit_id in (select id from mandate_limits where mandate_id = $1 and span = 'period')";
  for (const by of ["- interval '10000 days'", "+ interval '10000 days' - interval '1 hour'"])
    for (const statement of [
      `insert into budget_counters (limit_id, window_start, account, most, reserved, spent, beyond)
       select limit_id, window_start ${by}, account, most, reserved, spent, beyond
       from budget_counters where ${isOfPeriod}`,
      `update budget_uses set window_start = window_start ${by} where ${isOfPeriod}`,
      `delete from budget_counters c where ${isOfPeriod} and not exists (
         select from budget_uses u where u.limit_id = c.limit_id and u.window_start = c.window_start)`,
    ])
      await api.client.query(statement, [id]);
}

type Run = { readonly owner: Person; readonly model: Model };
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

async function addMandate({ owner, model }: Run, limits: Limits): Promise<void> {
  const { id } = await aMandate(api.api, owner, limitsOf(limits));
  model.mandates.push({ id, ...limits, isLive: true, window: 0 });
}

async function replace({ owner, model }: Run, limits: Limits, at: number): Promise<void> {
  const old = pick(
    model.mandates.filter(({ isLive }) => isLive),
    at,
  );
  if (old === undefined) return;
  const payload = { ...(await signed(api.api, owner, limitsOf(limits))), replaces: old.id };
  const { id } = (await grant(api.api, owner, payload)).json<Granted>();
  const open = end(model, old);
  model.mandates.push({ id, ...limits, isLive: true, window: 0 });
  decideAgain(model, open);
}

async function revoke({ owner, model }: Run, at: number): Promise<void> {
  const old = pick(
    model.mandates.filter(({ isLive }) => isLive),
    at,
  );
  if (old === undefined) return;
  await api.api.http.send({ method: "DELETE", url: `/mandates/${old.id}`, headers: owner.jwt });
  decideAgain(model, end(model, old));
}

async function expire({ model }: Run, at: number): Promise<void> {
  const old = pick(
    model.mandates.filter(({ isLive }) => isLive),
    at,
  );
  if (old === undefined) return;
  await api.client.query("update mandates set valid_until = now() where id = $1", [old.id]);
  // Approved while it was valid: it stays approved.
  old.isLive = false;
}

async function setPrice({ model }: Run, price: number | null): Promise<void> {
  await api.client.query("delete from prices");
  if (price !== null)
    await api.client.query(
      `insert into prices (asset, usd, source, as_of, fresh_seconds)
       values ($1, $2::numeric * 1e16, 'eip155:1:0x5f', now(), 3600)`,
      [asset, price],
    );
  model.price = price;
}

const steps = {
  seeSuccess: ["READY", "CONFIRMING"],
  reorganise: ["CONFIRMING", "READY"],
  finalize: ["CONFIRMING", "EXECUTED"],
  userRejects: ["READY", "REJECTED"],
  expireReady: ["READY", "FAILED"],
  seeLateSuccess: ["FAILED", "EXECUTED"],
} as const satisfies Partial<Record<LifecycleEvent, readonly [Payment["phase"], Payment["phase"]]>>;

async function step({ model }: Run, event: keyof typeof steps, at: number): Promise<void> {
  const [from, to] = steps[event];
  const payment = pick(
    model.payments.filter(({ phase }) => phase === from),
    at,
  );
  if (payment === undefined) return;
  await change(payment, event);
  payment.phase = to;
}

const anyLimits = fc.record({
  total: fc.integer({ min: 1, max: 40 }),
  hourly: fc.integer({ min: 1, max: 20 }),
  dollars: fc.option(fc.integer({ min: 1, max: 40 })),
});
const anyAt = fc.nat(50);
const anyCommand = fc.oneof(
  { weight: 2, arbitrary: anyLimits.map((limits) => (run: Run) => addMandate(run, limits)) },
  {
    weight: 8,
    arbitrary: fc.integer({ min: 1, max: 15 }).map((amount) => async ({ owner, model }: Run) => {
      const transaction = await pay(owner, amount);
      const payment: Payment = {
        ...{ transaction, amount, cents: 0, phase: "AWAITING", mandate: undefined, window: 0 },
      };
      decide(model, payment);
      model.payments.push(payment);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyLimits, anyAt).map(
      ([limits, at]) =>
        (run: Run) =>
          replace(run, limits, at),
    ),
  },
  { weight: 1, arbitrary: anyAt.map((at) => (run: Run) => revoke(run, at)) },
  {
    weight: 2,
    arbitrary: fc
      .option(fc.integer({ min: 1, max: 300 }), { freq: 4 })
      .map((price) => (run: Run) => setPrice(run, price)),
  },
  { weight: 1, arbitrary: anyAt.map((at) => (run: Run) => expire(run, at)) },
  {
    weight: 2,
    arbitrary: anyAt.map((at) => async ({ model }: Run) => {
      const mandate = pick(model.mandates, at);
      if (mandate === undefined) return;
      await passWindow(mandate);
      mandate.window += 1;
    }),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])), anyAt).map(
      ([event, at]) =>
        (run: Run) =>
          step(run, event, at),
    ),
  },
);

async function compare({ model }: Run): Promise<void> {
  const stored = await Promise.all(model.payments.map(({ transaction }) => find(api.store, transaction)));
  expect(stored.map(({ phase, granted }) => [phase, granted])).toEqual(
    model.payments.map(({ phase }) => [phase, phase !== "AWAITING"]),
  );
  const approved = (list: readonly Payment[]) =>
    list.map((one) => (counts(one) ? (one.mandate?.id ?? null) : "-"));
  expect(
    stored.map(({ mandateId }, index) => (approved(model.payments)[index] === "-" ? "-" : mandateId)),
  ).toEqual(approved(model.payments));
  expect(await audit(api.client)).toEqual([]);
}

test(`${numRuns} random histories agree with the model (MANDATES_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { minLength: 20, maxLength: 40 }), async (commands) => {
      const run: Run = { owner: await aPerson(api), model: { mandates: [], payments: [], price: null } };
      await setPrice(run, null);
      for (const command of commands) await command(run);
      await compare(run);
    }),
    { numRuns, seed, endOnFailure: true },
  );
}, 600_000);
