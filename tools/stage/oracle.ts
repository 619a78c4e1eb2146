// Invariants that must hold however often a process crashed. Checked against the database and the chain at the end.
import { devAccounts } from "../engines/anvil.ts";
import type { Death } from "./crash-sweep.ts";
import { withoutCount } from "./places.ts";
import type { Stage } from "./stage.ts";
import type { Teller, Told } from "./story.ts";

/** The facts that the rules are checked against. */
type Ground = Pick<Stage, "chain" | "query"> & {
  readonly deployment: Pick<Stage["deployment"], "inbox">;
  readonly custodian: Pick<Stage["custodian"], "accepted">;
  readonly urls: Pick<Stage["urls"], "ipfs">;
};
export type Followed = Pick<Told, "kind" | "owner" | "requestHash" | "call" | "sent" | "seen">;
type Followers = Pick<Teller, "accepted" | "count"> & { readonly told: () => readonly Followed[] };

type Row = {
  readonly hash: `0x${string}`;
  readonly form: string;
  readonly phase: string;
  readonly version: number;
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly verdicts: number;
  readonly doubled: number;
  readonly flow: string;
  readonly executed: `0x${string}` | null;
};

type Own = {
  readonly nonce: number;
  readonly hash: `0x${string}`;
  readonly bytes: string;
  readonly state: string;
};

export type Findings = {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly regressions: readonly string[];
  /** Everything else that should not be. */
  readonly others: readonly string[];
};

/** The expected result. */
export const nothing: Findings = { lost: [], twice: [], regressions: [], others: [] };

const ranks = { PENDING: 0, APPROVED: 1, REJECTED: 2, EXECUTED: 2, FAILED: 2 } as const;
const isBackwards = ([before, after]: readonly [keyof typeof ranks, keyof typeof ranks]): boolean =>
  // The one way out of FAILED: the chain shows that it was executed after all.
  !(before === "FAILED" && after === "EXECUTED") && ranks[after] <= ranks[before];

function findRegressions({ requestHash, seen }: Followed): readonly string[] {
  const steps = seen.slice(1).map((after, index) => [seen[index] ?? after, after] as const);
  return steps.filter(isBackwards).map((step) => `${requestHash} went from ${step.join(" to ")}`);
}

const readRows = ({ query }: Ground): Promise<readonly Row[]> =>
  query<Row>(`
    select '0x' || encode(t.request_hash, 'hex') as hash, t.form, t.phase, t.version,
      '0x' || encode(t.execution_hash, 'hex') as executed, f.flow,
      e.events, e.first, e.last, a.verdicts, a.doubled
    from transactions t,
    lateral (select case when count(*) = 0 then 'none' when bool_or(status = 'parked') then 'parked' else 'there' end as flow
      from flows where key = '0x' || encode(t.request_hash, 'hex')) f,
    lateral (select count(*)::int as events, min(version) as first, max(version) as last
      from account_events where transaction_id = t.id) e,
    lateral (select count(*) filter (where kind = 'orion')::int as verdicts,
        (count(*) - count(distinct (kind, approver, decision)))::int as doubled
      from approvals where transaction_id = t.id) a`);

function findInRow(row: Row): readonly string[] {
  const faults = {
    "has an event row too many or too few":
      row.events !== row.version || row.last !== row.version || row.first !== 1,
    "has more than one verdict": row.verdicts > 1,
    "has an approval twice": row.doubled > 0,
    "is parked": row.flow === "parked",
    "has no flow": row.flow === "none",
  };
  return Object.entries(faults).flatMap(([fault, is]) => (is ? [`${row.hash} (${row.phase}) ${fault}`] : []));
}

/** Our own transactions: every nonce used once, in order, by the bytes that were kept. */
async function findInNonces({ chain, query }: Ground): Promise<readonly string[]> {
  const own = await query<Own>(
    "select nonce, hash, state, '0x' || encode(bytes, 'hex') as bytes from own_transactions where purpose = 'register-proposals' order by nonce",
  );
  const recorder = devAccounts()[2]?.address ?? "0x";
  const used = await chain.client.getTransactionCount({ address: recorder });
  const findings = [
    ...own.flatMap(({ nonce }, index) => (nonce === index ? [] : [`nonce ${nonce} instead of ${index}`])),
    ...(used === own.length ? [] : [`the chain has ${used} transactions of ours, the record ${own.length}`]),
  ];
  for (const { hash, nonce, bytes } of own) {
    const raw = await chain.rawOf(hash).catch(() => undefined);
    if (raw !== bytes) findings.push(`nonce ${nonce} was not used by the bytes that were kept`);
  }
  return findings;
}

/** The custodian's orders: at most one per proposal, with exactly its transaction, and nothing else from the vault. */
async function findInCustody(
  { chain, custodian }: Ground,
  told: readonly Followed[],
): Promise<readonly string[]> {
  const kept = told.filter(({ kind }) => kind === "custody");
  const orders = custodian.accepted();
  const findings = orders.flatMap(({ externalTxId, to, value, data }) => {
    const story = kept.find(({ requestHash }) => requestHash === externalTxId);
    if (story === undefined) return [`the custodian was asked for ${externalTxId}, which was not proposed`];
    const { call } = story;
    const isSame = call.to === to && call.value === value && call.data === data;
    return isSame ? [] : [`the custodian was asked for other bytes than those of ${externalTxId}`];
  });
  for (const { requestHash } of kept) {
    const count = orders.filter(({ externalTxId }) => externalTxId === requestHash).length;
    if (count > 1) findings.push(`the custodian was asked for ${requestHash} ${count} times`);
  }
  for (const vault of new Set(kept.map(({ owner }) => owner.escrow))) {
    const used = await chain.client.getTransactionCount({ address: vault });
    const sent = orders.filter(({ txHash }) => txHash !== undefined);
    if (used > sent.length) findings.push(`${vault} has sent ${used} times, for ${sent.length} orders`);
  }
  return findings;
}

/** The transaction that must have executed it: sent by the owner's wallet or the custodian. */
const sendersOf = ({ custodian }: Ground, { kind, requestHash, sent }: Followed): readonly string[] =>
  kind === "custody"
    ? custodian
        .accepted()
        .flatMap(({ externalTxId, txHash }) =>
          externalTxId === requestHash && txHash !== undefined ? [txHash] : [],
        )
    : sent;

/** The proposal on chain: registered once if it was encrypted, executed once by the transaction that was sent. */
function findOnChain(stage: Ground, told: Followed, row: Row, recorded: number): readonly string[] {
  const { kind, requestHash } = told;
  const sent = sendersOf(stage, told);
  const isExecuted = row.phase === "EXECUTED" || row.phase === "SETTLED";
  const wanted = row.form === "unsealed" ? 0 : isExecuted ? 1 : Math.min(recorded, 1);
  return [
    ...(recorded === wanted ? [] : [`${kind} ${requestHash} is registered ${recorded} times`]),
    ...(isExecuted && sent.length !== 1 ? [`${requestHash} was sent ${sent.length} times`] : []),
    ...(isExecuted && row.executed !== sent[0] ? [`${requestHash} was executed by something else`] : []),
  ];
}

export async function consult(stage: Ground, teller: Followers): Promise<Findings> {
  const rows = await readRows(stage);
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  const recorded = await stage.chain.listRecorded(stage.deployment.inbox, stage.urls.ipfs);
  const told = teller.told();
  return {
    lost: teller.accepted().filter((requestHash) => !byHash.has(requestHash)),
    twice: [
      ...(rows.length === teller.count()
        ? []
        : [`${teller.count()} proposals were made, ${rows.length} are recorded`]),
      ...told.flatMap((story) => {
        const row = byHash.get(story.requestHash);
        return row === undefined ? [] : findOnChain(stage, story, row, recorded.get(story.requestHash) ?? 0);
      }),
      ...(await findInCustody(stage, told)),
    ],
    regressions: told.flatMap(findRegressions),
    others: [...rows.flatMap(findInRow), ...(await findInNonces(stage))],
  };
}

/** The figures to publish. */
export const summarise = ({ lost, twice, regressions }: Findings, deaths: readonly Death[]): string => {
  const places = new Set(deaths.map(({ app, place }) => `${app} ${withoutCount(place)}`));
  const longest = Math.max(0, ...deaths.map(({ recoveryMs }) => recoveryMs)) / 1000;
  return (
    `${deaths.length} faults in ${places.size} classes: ${lost.length} lost, ${twice.length} executed twice, ` +
    `${regressions.length} status regressions, longest recovery ${longest.toFixed(1)} s`
  );
};
