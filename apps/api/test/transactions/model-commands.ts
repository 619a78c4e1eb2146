// The events that can happen to an account's transactions, each as a command: applied to the service and to the
// model, which are then compared in everything that is visible.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import { transitions, type LifecycleEvent } from "../../src/transactions/lifecycle.ts";
import type { Approval, ExecutionType, Form, Hex } from "../../src/transactions/transaction.ts";
import { aProposal } from "../transactions.ts";
import { checkAll, readEvents, type Model } from "./model-check.ts";
import type { Answer, Headers, Request, Harness } from "./model-harness.ts";
import {
  callers,
  copyOf,
  decide,
  enact,
  propose,
  refused,
  runOut,
  supersede,
  sweep,
  withdraw,
  type Decision,
  type Expected,
  type Modelled,
  type Who,
} from "./model.ts";

type Command = fc.AsyncCommand<Model, Harness>;

let keys = 0;

/** Counted from the newest, which are still active. */
const pick = <T>(from: readonly T[], number: number): T => {
  const found = from.at(-1 - (number % from.length));
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
};

async function headersOf({ owner }: Model, harness: Harness, who: Who, request: Request): Promise<Headers> {
  const { method, url, body } = request;
  if (who === "owner") return owner.jwt;
  if (who === "stranger") return harness.stranger.jwt;
  if (who === "signer") return owner.sign(method, url, body);
  if (who === "agent" || who === "arbiter") return owner[who].headers;
  return harness.servers[who].headers;
}

async function sendAs(model: Model, harness: Harness, who: Who, request: Request): Promise<Answer> {
  const credential = await headersOf(model, harness, who, request);
  return harness.send({ ...request, headers: { ...request.headers, ...credential } });
}

function checkAnswer(answer: Answer, { status, code }: Expected): void {
  expect([answer.status, answer.headers["x-error-code"]]).toEqual([status, code]);
}

/** Every command compares everything afterwards: unrelated transactions must be unchanged. */
const command = (
  name: string,
  run: (model: Model, harness: Harness) => Promise<void>,
  needs = 1,
): Command => ({
  check: ({ transactions }) => transactions.length >= needs,
  run: async (model, harness) => {
    await run(model, harness);
    await checkAll(model, harness);
  },
  toString: () => name,
});

type Proposing = {
  readonly who: "agent" | "owner" | "admin";
  readonly form: Form;
  readonly executionType: ExecutionType;
  /** The proposal that it replaces, if any. */
  readonly replaces: number | undefined;
};

/** Rejections that depend on form and sender alone, before anything is written. */
function refuseForm({ who, form, executionType }: Proposing): Expected | undefined {
  if (form !== "unsealed") return undefined;
  if (who === "owner") return refused("keyRequired");
  if (who === "agent") return refused("unencryptedNotAllowed");
  return executionType === 0 ? undefined : refused("flowNotAllowed");
}

async function chooseType({ owner }: Model, harness: Harness, executionType: ExecutionType): Promise<void> {
  const body = JSON.stringify({ executionType });
  const answer = await harness.send({ method: "PUT", url: "/settings", headers: owner.jwt, body });
  expect(answer.status).toBe(200);
}

const proposing = (given: Proposing): Command =>
  command(
    `propose ${JSON.stringify(given)}`,
    async (model, harness) => {
      const { who, form, executionType, replaces } = given;
      const { owner, transactions } = model;
      const old =
        replaces === undefined || transactions.length === 0 ? undefined : pick(transactions, replaces);
      await chooseType(model, harness, executionType);
      const body = JSON.stringify(
        aProposal(owner.wallet.address, {
          ...(form === "sealed" ? harness.sealed : {}),
          ...(form === "unsealed" ? { encrypted: false } : {}),
          ...(old === undefined ? {} : { supersedes: old.requestHash }),
        }),
      );
      const headers = { "idempotency-key": `propose-${++keys}` };
      const request = { method: "POST", url: "/transactions", headers, body } as const;
      const answer = await sendAs(model, harness, who, request);
      const expected = refuseForm(given) ?? (old === undefined ? { status: 201 } : supersede(old));
      checkAnswer(answer, expected);
      if (expected.status !== 201) return;
      const { requestHash } = answer.body as { readonly requestHash: Hex };
      transactions.push(propose({ requestHash, form, proposer: who, all: transactions }, executionType));
      const credential = await headersOf(model, harness, who, request);
      model.kept.push({ request: { ...request, headers: { ...headers, ...credential } }, answer });
    },
    0,
  );

type Deciding = { readonly who: Who; readonly decision: Decision };

async function decisionOf(
  harness: Harness,
  { requestHash }: Modelled,
  { who, decision }: Deciding,
  headers: Headers = {},
): Promise<Request> {
  const isVerdict = callers[who].kind === "orion";
  const signed = isVerdict ? { attestation: await harness.attestation(requestHash, decision) } : {};
  const url = `/transactions/${requestHash}/approvals`;
  return { method: "POST", url, headers, body: JSON.stringify({ decision, ...signed }) };
}

const deciding = ({ who, decision, which }: Deciding & { readonly which: number }): Command =>
  command(`${who} says ${decision} about ${which}`, async (model, harness) => {
    const one = pick(model.transactions, which);
    const request = await decisionOf(harness, one, { who, decision });
    checkAnswer(await sendAs(model, harness, who, request), decide(one, who, decision));
  });

/** The same request twice at the same instant, as from a client on a bad network. */
const decidingTwice = ({ who, decision, which }: Deciding & { readonly which: number }): Command =>
  command(`${who} says ${decision} about ${which}, twice at once`, async (model, harness) => {
    const one = pick(model.transactions, which);
    const request = await decisionOf(harness, one, { who, decision });
    const answers = await Promise.all([1, 2].map(() => sendAs(model, harness, who, request)));
    for (const answer of answers) checkAnswer(answer, decide(one, who, decision));
    if (answers[0]?.status === 201) expect(answers[1]?.body).toEqual(answers[0].body);
  });

/** Under a key, and stored to be repeated now and later in the run. A signature is valid for one request. */
const decidingUnderKey = ({ who, decision, which }: Deciding & { readonly which: number }): Command =>
  command(`${who} says ${decision} about ${which}, under a key`, async (model, harness) => {
    const one = pick(model.transactions, which);
    const key = { "idempotency-key": `decide-${++keys}` };
    const plain = await decisionOf(harness, one, { who, decision }, key);
    const headers = { ...plain.headers, ...(await headersOf(model, harness, who, plain)) };
    const request = { ...plain, headers };
    const answer = await harness.send(request);
    checkAnswer(answer, decide(one, who, decision));
    if (answer.status === 201 && who !== "signer") model.kept.push({ request, answer });
  });

const sendingAgain = (which: number): Command =>
  command(`send again ${which}`, async ({ kept }, harness) => {
    if (kept.length === 0) return;
    const { request, answer } = pick(kept, which);
    const again = await harness.send(request);
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([answer.status, "true"]);
    expect(again.body).toEqual(answer.body);
  });

/** Two concurrent decisions: one of them was first, and the result is as if they had come one by one. */
const racing = (first: Deciding, second: Deciding, which: number): Command =>
  command(
    `${first.who} says ${first.decision} while ${second.who} says ${second.decision} about ${which}`,
    async (model, harness) => {
      const one = pick(model.transactions, which);
      const answers = await Promise.all(
        [first, second].map(async (given) =>
          sendAs(model, harness, given.who, await decisionOf(harness, one, given)),
        ),
      );
      const [here, there] = [copyOf(one), copyOf(one)];
      const inOrder = [first, second].map(({ who, decision }) => decide(here, who, decision));
      const otherwise = [second, first].map(({ who, decision }) => decide(there, who, decision)).reverse();
      const log = (await readEvents(harness, model.owner.account)).get(one.requestHash);
      const isInOrder =
        isDeepStrictEqual(log, here.log) && isAsExpected(answers, inOrder) && (await isAsSaid(here, harness));
      const [becomes, expected] = isInOrder ? [here, inOrder] : [there, otherwise];
      for (const [index, answer] of answers.entries()) checkAnswer(answer, expected[index] ?? { status: 0 });
      Object.assign(one, becomes);
    },
  );

/** Two concurrent identical decisions get the same answer; only the database shows which came first. */
async function isAsSaid({ requestHash, said }: Modelled, { store }: Harness): Promise<boolean> {
  const ofRecord = (await store.findDecided(requestHash))?.approvals ?? [];
  const heard = ({
    decision,
    type,
    kind,
    label,
  }: Pick<Approval, "decision" | "type" | "kind" | "label">) => ({
    ...{ decision, type, kind },
    // Two keys decide in the same way.
    ...(kind === "key" ? { label } : {}),
  });
  return isDeepStrictEqual(ofRecord.map(heard), said.map(heard));
}

const isAsExpected = (answers: readonly Answer[], expected: readonly Expected[]): boolean =>
  answers.every(({ status, headers }, index) =>
    isDeepStrictEqual([status, headers["x-error-code"]], [expected[index]?.status, expected[index]?.code]),
  );

/** Registered, verified and approved, in this order, as is usual, so that runs reach later states. */
const goingWell = (which: number): Command =>
  command(`${which} goes well`, async (model, harness) => {
    const one = pick(model.transactions, which);
    for (const event of ["pin", "register"] as const) {
      await harness.transition.change({ requestHash: one.requestHash }, () => ({ events: [event] }));
      enact(one, event);
    }
    for (const who of ["orion", "owner"] as const)
      checkAnswer(
        await sendAs(model, harness, who, await decisionOf(harness, one, { who, decision: "APPROVED" })),
        decide(one, who, "APPROVED"),
      );
  });

const withdrawing = (who: Who, which: number): Command =>
  command(`${who} withdraws ${which}`, async (model, harness) => {
    const one = pick(model.transactions, which);
    const url = `/transactions/${one.requestHash}/withdraw`;
    checkAnswer(await sendAs(model, harness, who, { method: "POST", url, headers: {} }), withdraw(one, who));
  });

/** The changes that the flow and the chain watch make. */
const happening = (event: LifecycleEvent, which: number): Command =>
  command(`${event} of ${which}`, async ({ transactions }, { transition }) => {
    const one = pick(transactions, which);
    await transition.change({ requestHash: one.requestHash }, () => ({ events: [event] }));
    enact(one, event);
  });

/** In the usual order, because random events hardly ever get this far. */
const inTurn = (which: number, ...events: readonly LifecycleEvent[]): Command =>
  command(`${events.join(", ")} of ${which}`, async (model, harness) => {
    for (const event of events) await happening(event, which).run(model, harness);
  });
const ways = [
  ["handOver", "startExecution", "broadcast"],
  ["handOver", "startExecution", "broadcast"],
  ["handOver", "startExecution", "failPreflight"],
  ["handOver", "startExecution", "broadcast", "custodyFails", "seeLateSuccess"],
  ["handOver", "startExecution", "broadcast", "loseNonce"],
  ["seeSuccess", "noticeRepetition"],
] as const satisfies readonly (readonly LifecycleEvent[])[];

const runningOut = (which: number): Command =>
  command(`the time of ${which} is up`, async ({ transactions }, { client }) => {
    const one = pick(transactions, which);
    await client.query(
      `update transactions set expires_at = now() - interval '1 second'
       where request_hash = $1 and expires_at is not null`,
      [Buffer.from(one.requestHash.slice(2), "hex")],
    );
    runOut(one);
  });

const sweeping = (): Command =>
  command("the sweeper comes by", async ({ transactions }, { expireOverdue }) => {
    while ((await expireOverdue()) > 0);
    for (const one of transactions) sweep(one);
  });

const restarting = (): Command =>
  command("the service is restarted", async ({ polled }, harness) => {
    await harness.restart();
    polled.clear();
  });

const which = fc.constantFrom(0, 0, 0, 1, 2);
const who = fc.constantFrom(...(Object.keys(callers) as Who[]));
/** Mostly approvals, because a rejection ends it. */
const decision = fc.constantFrom<Decision[]>(
  ...(["APPROVED", "APPROVED", "APPROVED", "APPROVED", "UNDECIDED", "UNDECIDED", "REJECTED"] as const),
);
const saying = fc.record({ who, decision });
const sayingOf = fc.record({ who, decision, which });
const happeningOf = (...names: LifecycleEvent[]) =>
  fc.tuple(fc.constantFrom(...names), which).map((given) => happening(...given));

const several = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

export const commands = [
  ...several(
    3,
    fc
      .record({
        who: fc.constantFrom<Proposing["who"][]>("agent", "owner", "admin"),
        form: fc.constantFrom<Form[]>("standard", "standard", "sealed", "unsealed"),
        executionType: fc.constantFrom<ExecutionType[]>(0, 1, 2),
        replaces: fc.option(which, { nil: undefined, freq: 4 }),
      })
      .map(proposing),
  ),
  ...several(4, sayingOf.map(deciding)),
  sayingOf.map(decidingTwice),
  ...several(2, sayingOf.map(decidingUnderKey)),
  fc.tuple(saying, saying, which).map((given) => racing(...given)),
  fc.nat({ max: 100 }).map(sendingAgain),
  fc.tuple(who, which).map((given) => withdrawing(...given)),
  ...several(2, which.map(goingWell)),
  ...several(2, happeningOf("pin", "register")),
  ...several(3, happeningOf("seeSuccess", "seeSuccess", "seeRevert", "reorganise", "finalize", "finalize")),
  happeningOf("seeLateSuccess", "settleExecution", "noticeMismatch", "verdictGoesStale"),
  ...several(
    2,
    fc.tuple(which, fc.constantFrom(...ways)).map(([of, way]) => inTurn(of, ...way)),
  ),
  happeningOf("handOver", "startExecution", "broadcast"),
  happeningOf("failPreflight", "custodyFails", "seeMismatch", "loseNonce"),
  happeningOf(...(Object.keys(transitions) as LifecycleEvent[])),
  which.map(runningOut),
  fc.constant(0).map(sweeping),
  fc.constant(0).map(restarting),
];
