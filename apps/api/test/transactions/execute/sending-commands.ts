// The events that can happen to an account whose transactions are sent for it, each as a command.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import type { Asked } from "../../../src/transactions/execute/execute-for-owner.ts";
import { bearer } from "../../sign-in.ts";
import type { Call } from "../../../src/transactions/transaction.ts";
import { CutOff, makeJournal } from "./journal.ts";
import { checkSending, type Proposed, type SendingModel, type Vault } from "./sending-model.ts";
import type { ExecutionStage } from "./harness.ts";

/** The service, or one that a test has broken in one place. */
export type Real = {
  readonly harness: ExecutionStage;
  readonly execute: ExecutionStage["execute"];
  /** An administrator's request. Returns the status of the answer. */
  readonly askAsAdmin: (asked: Asked) => Promise<number>;
};

type Command = fc.AsyncCommand<SendingModel, Real>;
type Run = (model: SendingModel, real: Real) => Promise<Proposed | undefined>;

/** `run` returns the proposal that it may have begun or sent. */
const command = (name: string, run: Run, needs = 1): Command => ({
  check: ({ proposed }) => proposed.length >= needs,
  run: async (model, real) => {
    const acted = await run(model, real);
    await checkSending(real.harness, model, acted);
  },
  toString: () => name,
});

/** Counted from the newest, which are still active. */
function pick({ proposed }: SendingModel, which: number): Proposed {
  const found = proposed.at(-1 - (which % proposed.length));
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

let amounts = 1_000_000n;
/** Each has another amount, so that the chain shows which is which. */
const aCall = (): Call => ({ to: `0x${randomBytes(20).toString("hex")}`, value: ++amounts, data: "0x" });

async function propose(model: SendingModel, { harness }: Real, vault: Vault): Promise<Proposed> {
  const call = aCall();
  const requestHash = await harness.propose(model.owners[vault], call);
  const one: Proposed = {
    ...{ requestHash, vault, call, journal: { current: makeJournal(requestHash), turn: 1 } },
    ...{ verdict: undefined, hasOwnersYes: false, isDead: false, senderId: undefined },
  };
  model.proposed.push(one);
  return one;
}

type Decision = "APPROVED" | "REJECTED" | "UNDECIDED";

async function decideAsOrion({ harness }: Real, one: Proposed, decision: Decision): Promise<void> {
  const { statusCode } = await harness.postVerdict(one.requestHash, decision);
  if (statusCode !== 201) return;
  one.verdict = decision;
  if (decision === "REJECTED") one.isDead = true;
}

const proposing = (vault: Vault): Command =>
  command(
    `propose from ${vault}`,
    async (model, real) => {
      await propose(model, real, vault);
      return undefined;
    },
    0,
  );

const judging = (decision: Decision, which: number): Command =>
  command(`the verifier says ${decision} about ${which}`, async (model, real) => {
    await decideAsOrion(real, pick(model, which), decision);
    return undefined;
  });

const deciding = (decision: "APPROVED" | "REJECTED", which: number): Command =>
  command(`the owner says ${decision} about ${which}`, async (model, { harness }) => {
    const one = pick(model, which);
    const url = `/transactions/${one.requestHash}/approvals`;
    const answer = await harness.post(url, bearer(model.owners[one.vault]), { decision });
    if (answer.statusCode !== 201) return undefined;
    if (decision === "APPROVED") one.hasOwnersYes = true;
    else one.isDead = true;
    return undefined;
  });

const withdrawing = (which: number): Command =>
  command(`the owner withdraws ${which}`, async (model, { harness }) => {
    const one = pick(model, which);
    const answer = await harness.post(
      `/transactions/${one.requestHash}/withdraw`,
      bearer(model.owners[one.vault]),
    );
    if (answer.statusCode === 200) one.isDead = true;
    return undefined;
  });

const runningOut = (which: number): Command =>
  command(`the time of ${which} is up`, async (model, { harness }) => {
    const one = pick(model, which);
    const { rowCount } = await harness.client.query(
      `update transactions set expires_at = now() - interval '1 second'
       where request_hash = $1 and expires_at is not null`,
      [Buffer.from(one.requestHash.slice(2), "hex")],
    );
    if (rowCount === 1) one.isDead = true;
    return undefined;
  });

/** As the slice does it, without the second that another key would cost. */
const recreating = (vault: Vault): Command =>
  command(
    `the integration for ${vault} is recreated`,
    async (model, { harness }) => {
      model.current[vault] = await replaceIntegration(harness, model.current[vault]);
      return undefined;
    },
    0,
  );

async function replaceIntegration({ client }: ExecutionStage, id: string): Promise<string> {
  await client.query("update custody_integrations set replaced_at = now() where id = $1", [id]);
  const { rows } = await client.query<{ id: string }>(
    `insert into custody_integrations (id, account, type, csr, key_secret_id, credential_secret_id,
       vault_account_id, environment, region, completed_at, wallet)
     select gen_random_uuid(), account, type, csr, key_secret_id, credential_secret_id,
       vault_account_id, environment, region, completed_at, wallet
     from custody_integrations where id = $1 returning id`,
    [id],
  );
  return rows[0]?.id ?? "";
}

const askings = {
  right: {},
  value: { value: "1" },
  to: { to: `0x${"12".repeat(20)}` },
  data: { data: "0x00" },
  hash: { requestHash: `0x${"ab".repeat(32)}` },
} as const satisfies Readonly<Record<string, Partial<Asked>>>;
type Asking = keyof typeof askings | "escrow" | "not an administrator";

function asked(model: SendingModel, { requestHash, vault, call }: Proposed, how: Asking): Asked {
  const { to, value, data } = call;
  const other: Vault = vault === "agent" ? "execution" : "agent";
  const escrow = how === "escrow" ? other : vault;
  return {
    ...{
      escrowAddress: model.owners[escrow].vault,
      to,
      value: value.toString(),
      data,
      requestHash,
      type: escrow,
    },
    ...(how in askings ? askings[how as keyof typeof askings] : {}),
  };
}

const askingAsAdmin = (how: Asking, which: number): Command =>
  command(`an administrator asks for ${which} to be sent: ${how}`, async (model, { harness, askAsAdmin }) => {
    const one = pick(model, which);
    if (how === "not an administrator") {
      const headers = bearer(model.owners[one.vault]);
      await harness.post("/custody/admin/transactions", headers, asked(model, one, "right"));
      return undefined;
    }
    await askAsAdmin(asked(model, one, how));
    return how === "right" ? one : undefined;
  });

type Turn = {
  readonly which: number;
  /** The step edge at which the worker dies. */
  readonly diesAt: number;
  /** Whether the engine has lost its journal. */
  readonly isForgotten: boolean;
};

async function work(
  { execute }: Real,
  one: Proposed,
  { diesAt, isForgotten }: Omit<Turn, "which">,
): Promise<void> {
  const { journal, requestHash } = one;
  if (isForgotten) journal.current = makeJournal(requestHash);
  let edges = 0;
  const steps = journal.current.steps((step) => {
    if (++edges > diesAt) throw new CutOff(step);
  });
  try {
    await execute(requestHash, steps, journal.turn);
    journal.turn += 1;
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
  }
}

const working = ({ which, ...turn }: Turn): Command =>
  command(`the worker takes ${which} up, ${JSON.stringify(turn)}`, async (model, real) => {
    const one = pick(model, which);
    await work(real, one, turn);
    return one;
  });

/** The usual sequence, so that runs reach later states. */
const goingWell = (vault: Vault, diesAt: number): Command =>
  command(
    `one from ${vault} goes well for ${diesAt} edges`,
    async (model, real) => {
      const one = await propose(model, real, vault);
      await decideAsOrion(real, one, "APPROVED");
      if (vault === "execution") await real.askAsAdmin(asked(model, one, "right"));
      await work(real, one, { diesAt, isForgotten: false });
      return one;
    },
    0,
  );

const troubling = (
  how: "timeout-after-accept" | "drop-after-accept" | "error-after-accept" | "lost" | "down",
): Command =>
  command(
    `the custodian: ${how}`,
    async (_model, { harness }) => {
      harness.custodian.behave(how, 1);
      return undefined;
    },
    0,
  );

const which = fc.constantFrom(0, 0, 0, 1, 2);
const vault = fc.constantFrom<Vault[]>("agent", "agent", "execution");
const diesAt = fc.integer({ min: 0, max: 9 });
const several = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

export const commands = [
  ...several(3, vault.map(proposing)),
  ...several(
    4,
    fc
      .tuple(fc.constantFrom<Decision[]>("APPROVED", "APPROVED", "APPROVED", "UNDECIDED", "REJECTED"), which)
      .map((given) => judging(...given)),
  ),
  ...several(
    2,
    fc
      .tuple(fc.constantFrom("APPROVED" as const, "APPROVED" as const, "REJECTED" as const), which)
      .map((given) => deciding(...given)),
  ),
  which.map(withdrawing),
  ...several(2, which.map(runningOut)),
  fc.constantFrom<Vault[]>("agent", "execution").map(recreating),
  ...several(
    3,
    fc
      .tuple(
        fc.constantFrom<Asking[]>(
          "right",
          "right",
          "value",
          "to",
          "data",
          "hash",
          "escrow",
          "not an administrator",
        ),
        which,
      )
      .map((given) => askingAsAdmin(...given)),
  ),
  ...several(5, fc.record({ which, diesAt, isForgotten: fc.boolean() }).map(working)),
  ...several(
    2,
    fc.tuple(vault, diesAt).map((given) => goingWell(...given)),
  ),
  fc
    .constantFrom("timeout-after-accept", "drop-after-accept", "error-after-accept", "lost", "down")
    .map(troubling),
] satisfies readonly fc.Arbitrary<Command>[];
