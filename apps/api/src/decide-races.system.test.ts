// Two processes on one database get contradicting decisions about one transaction at the same instant. In every case
// there is one winner, and both answers, the approvals, the status and the events agree.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashData, hashIntent, hashReport, type Attestation } from "@countersign/wire";
import { loadOrionSigner } from "../../../tools/dev/orion-keys.ts";
import { anOwner, setStage } from "../../../tools/stage/index.ts";
import type { Owner, Stage } from "../../../tools/stage/index.ts";

type Hex = `0x${string}`;
type Decision = "APPROVED" | "REJECTED" | "UNDECIDED";
type Who = "owner" | "agent" | "admin" | "orion";
type Saying = readonly [Who, Decision];

let stage: Stage;
let signer: Awaited<ReturnType<typeof loadOrionSigner>>;
let owner: Owner;
/** The origins of the two processes. */
let origins: readonly [string, string];
let credentials: Readonly<Record<Who, Readonly<Record<string, string>>>>;
beforeAll(async () => {
  stage = await setStage();
  signer = await loadOrionSigner(stage.dir.orion);
  // Orion would post its own verdict.
  await stage.actors.orion.kill();
  origins = [stage.urls.api, await stage.startAnotherApi()];
  owner = await anOwner(stage, 0);
  const { admin, orion } = stage.serverKeys;
  credentials = { ...owner.credentials(), admin: { "x-api-key": admin }, orion: { "x-api-key": orion } };
});
afterAll(() => stage.end());

type View = {
  readonly tx: { readonly to: string; readonly value: string; readonly data: Hex } | null;
  readonly chainId: number;
  readonly description: string;
  readonly escrowAddress: string;
};

/** Signed like the stack's verification service, which is stopped. */
async function attest(requestHash: Hex, decision: Decision): Promise<Attestation> {
  const path = `${stage.urls.api}/transactions/${requestHash}`;
  const view = (await (await fetch(path, { headers: credentials.owner })).json()) as View;
  const { tx, chainId, description, escrowAddress } = view;
  if (tx === null) throw new Error("it is sealed");
  const { chainId: home, inbox } = stage.deployment;
  return signer.signVerdict(
    { chainId: home, inbox },
    {
      ...{ requestHash, chainId, decision, reportHash: hashReport({}), intentHash: hashIntent(description) },
      ...{
        escrow: escrowAddress.toLowerCase() as Hex,
        to: tx.to.toLowerCase() as Hex,
        value: BigInt(tx.value),
      },
      dataHash: hashData(tx.data),
      issuedAt: Math.floor(Date.now() / 1000),
      validUntil: Math.floor(Date.now() / 1000) + 3600,
    },
  );
}

async function say(origin: string, requestHash: Hex, [who, decision]: Saying): Promise<number> {
  const signed = who === "orion" ? { attestation: await attest(requestHash, decision) } : {};
  const answer = await fetch(`${origin}/transactions/${requestHash}/approvals`, {
    method: "POST",
    headers: { ...credentials[who], "content-type": "application/json" },
    body: JSON.stringify({ decision, ...signed }),
  });
  await answer.text();
  return answer.status;
}

async function readStatus(origin: string, requestHash: Hex): Promise<unknown> {
  const answer = await fetch(`${origin}/transactions/${requestHash}`, { headers: credentials.owner });
  return ((await answer.json()) as { status: unknown }).status;
}

/** Not encrypted, so that a verdict takes effect at once. */
const propose = (round: number): Promise<Hex> => {
  const to: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
  const call = { to, value: BigInt(round + 1), data: "0x" } as const;
  return owner.propose({ prompt: `Send ${round + 1} wei to ${to}`, call, isUnsealed: true });
};

type Race = { readonly requestHash: Hex; readonly answers: readonly [number, number] };

/** Shorter than an answer takes, so that the two always overlap. */
const headStartMs = 4;

/** Each goes to another process, alternating between rounds, and a random one is slightly earlier. */
async function race(round: number, before: readonly Saying[], two: readonly [Saying, Saying]): Promise<Race> {
  const requestHash = await propose(round);
  for (const saying of before) expect(await say(origins[0], requestHash, saying)).toBe(201);
  const at = round % 2 === 0 ? origins : ([origins[1], origins[0]] as const);
  const send = async (index: 0 | 1): Promise<number> => {
    await sleep(randomInt(headStartMs));
    return say(at[index], requestHash, two[index]);
  };
  return { requestHash, answers: await Promise.all([send(0), send(1)]) };
}

/** RACES sets a larger number, as in docs/measurements.md. */
const rounds = Number(process.env["RACES"] ?? 80);
/** Twenty at a time, which also makes them wait for each other's connections. */
async function inRounds(once: (round: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < rounds; start += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => once(start + index)));
}

type Row = {
  readonly status: string;
  readonly phase: string;
  readonly approvals: readonly Decision[];
  readonly events: readonly string[];
};

/** Returns the stored state, after checking its consistency. */
async function readRecord(requestHash: Hex): Promise<Omit<Row, "phase">> {
  const [row] = await stage.query<Row & { versions: readonly number[]; version: number; last: string }>(
    `select t.phase, t.version, e.*, a.approvals
     from transactions t,
     lateral (select array_agg(version order by version) as versions, array_agg(event order by version) as events,
         (array_agg(phase order by version desc))[1] as last, (array_agg(status order by version desc))[1] as status
       from account_events where transaction_id = t.id) e,
     lateral (select array_agg(decision order by decision) as approvals from approvals where transaction_id = t.id) a
     where t.request_hash = decode(substr($1, 3), 'hex')`,
    [requestHash],
  );
  if (row === undefined) throw new Error("it is gone");
  expect(row.versions).toEqual(Array.from({ length: row.version }, (_, index) => index + 1));
  expect(row.last).toBe(row.phase);
  for (const origin of origins) expect(await readStatus(origin, requestHash)).toBe(row.status);
  return row;
}

/** Each must have won at least once, or there was no race. */
function expectBoth(outcomes: readonly string[]): void {
  const counts = [...Map.groupBy(outcomes, (outcome) => outcome)].map(
    ([name, all]) => `${name}: ${all.length}`,
  );
  console.log(counts.join(", "));
  expect(new Set(outcomes).size).toBeGreaterThan(1);
}

test(`two verdicts, ${rounds} times: the first is recorded, the other is told that there is one`, async () => {
  const outcomes: string[] = [];
  await inRounds(async (round) => {
    const { requestHash, answers } = await race(
      round,
      [],
      [
        ["orion", "APPROVED"],
        ["orion", "REJECTED"],
      ],
    );
    const isApproved = answers[0] === 201;
    expect(answers).toEqual(isApproved ? [201, 400] : [400, 201]);
    expect(await readRecord(requestHash)).toMatchObject(
      isApproved
        ? { status: "APPROVED", approvals: ["APPROVED"], events: ["propose", "verdictApproved"] }
        : { status: "REJECTED", approvals: ["REJECTED"], events: ["propose", "verdictRejected"] },
    );
    outcomes.push(isApproved ? "the yes was first" : "the no was first");
  });
  expectBoth(outcomes);
});

const refusals = { owner: "userRejects", agent: "agentRejects", admin: "adminRejects" } as const;

test(`the owner's approval and any rejection, ${rounds} times: the rejection wins, and an approval is recorded only if it came before`, async () => {
  const outcomes: string[] = [];
  await inRounds(async (round) => {
    const who = (["owner", "agent", "admin"] as const)[round % 3] ?? "owner";
    const undecided = ["orion", "UNDECIDED"] as const;
    const { requestHash, answers } = await race(
      round,
      [undecided],
      [
        ["owner", "APPROVED"],
        [who, "REJECTED"],
      ],
    );
    const isApproved = answers[0] === 201;
    expect(answers).toEqual([isApproved ? 201 : 400, 201]);
    const yes = isApproved ? ["userApproves"] : [];
    expect(await readRecord(requestHash)).toMatchObject({
      status: "REJECTED",
      approvals: [...(isApproved ? ["APPROVED"] : []), "REJECTED", "UNDECIDED"],
      events: ["propose", "verdictUndecided", ...yes, refusals[who]],
    });
    outcomes.push(isApproved ? "the yes was first" : "the no was first");
  });
  expectBoth(outcomes);
});

test(`the same yes twice, ${rounds} times: it is recorded once, and both are told of it`, async () => {
  await inRounds(async (round) => {
    const yes = ["owner", "APPROVED"] as const;
    const { requestHash, answers } = await race(round, [["orion", "UNDECIDED"]], [yes, yes]);
    expect(answers).toEqual([201, 201]);
    expect(await readRecord(requestHash)).toMatchObject({
      status: "APPROVED",
      approvals: ["APPROVED", "UNDECIDED"],
      events: ["propose", "verdictUndecided", "userApproves"],
    });
  });
});
