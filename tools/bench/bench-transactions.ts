// The cost of a transaction: to propose it, to query it, and how it grows with their number.
import { compare, type Comparison } from "./ratio.ts";
import {
  aProposal,
  call,
  fill,
  hammer,
  openStage,
  startDatabases,
  warm,
  type Load,
  type Stage,
} from "./bench-transactions-stage.ts";
import { benchVerdictFlow } from "./bench-transactions-verdicts.ts";
import type { Supervisor } from "../engines/index.ts";

type Options = { readonly supervisor: Supervisor; readonly dir: string };
type Table = Readonly<Record<string, Comparison>>;

const proposing = ({ url, key, address }: Stage): Load => ({
  url: `${url}/transactions`,
  headers: { "x-api-key": key },
  body: aProposal(address),
  status: 201,
});

const bareInsert = ({ bareUrl, address }: Stage): Load => ({
  url: `${bareUrl}/transactions`,
  body: aProposal(address),
  status: 201,
});

/** The question an agent asks again and again, about a proposal that waits. */
async function polling(stage: Stage): Promise<{ readonly anew: Load; readonly known: Load }> {
  const { url, key, address } = stage;
  const headers = { "x-api-key": key };
  const { requestHash = "" } = await call(`${url}/transactions`, headers, aProposal(address));
  const asked = `${url}/transactions/${requestHash}/approval-status`;
  return {
    anew: { url: asked, headers, status: 200 },
    known: { url: asked, headers: { ...headers, "if-none-match": '"records-1"' }, status: 304 },
  };
}

async function compareLoads(ours: Load, bare: Load, pairs = 5): Promise<Comparison> {
  for (const load of [ours, bare]) await warm(load);
  return compare(pairs, hammer(ours), hammer(bare));
}

async function benchEndpoints(stage: Stage): Promise<Table> {
  const { anew, known } = await polling(stage);
  const hello: Load = { url: `${stage.bareUrl}/`, status: 200 };
  return {
    "GET approval-status with a key ÷ bare Fastify": await compareLoads(anew, hello),
    "the same, If-None-Match and 304 ÷ bare Fastify": await compareLoads(known, hello),
    "POST /transactions ÷ bare Fastify and driver, same statement": await compareLoads(
      proposing(stage),
      bareInsert(stage),
    ),
  };
}

const listing = ({ url, key, address }: Stage): Load => ({
  url: `${url}/transactions/users/${address}?limit=20`,
  headers: { "x-api-key": key },
  status: 200,
});

/** As many of one's own in both, so that a list is as long; only the others are more. */
async function proposeSome({ url, key, address }: Stage): Promise<void> {
  for (let count = 0; count < 30; count++)
    await call(`${url}/transactions`, { "x-api-key": key }, aProposal(address));
}

async function benchSizes(
  options: Options,
  home: (name: string) => Promise<string>,
  most: number,
): Promise<Table> {
  const [few, large] = [most / 100, most];
  const stages: Stage[] = [];
  for (const count of [large, few]) {
    const name = `rows_${count}`;
    const stage = await openStage(options, name, await home(name));
    await fill(stage, count);
    await proposeSome(stage);
    stages.push(stage);
  }
  const [big, small] = stages;
  if (big === undefined || small === undefined) throw new Error("two sizes are compared");
  const of = `${large} rows ÷ ${few}`;
  return {
    [`POST /transactions, ${of}`]: await compareLoads(proposing(big), proposing(small)),
    [`GET approval-status, ${of}`]: await compareLoads(
      (await polling(big)).anew,
      (await polling(small)).anew,
    ),
    [`GET /transactions/users/…?limit=20, ${of}`]: await compareLoads(listing(big), listing(small)),
  };
}

/** `rows`: how many there are in the larger of two databases. `part`: one of the three, or all of them. */
export async function benchTransactions(
  options: Options,
  { rows, part }: { readonly rows: number; readonly part: string | undefined },
): Promise<void> {
  const home = await startDatabases(options);
  const isWanted = (name: string): boolean => part === undefined || part === name;
  if (isWanted("endpoints"))
    console.table(await benchEndpoints(await openStage(options, "alone", await home("alone"))));
  if (isWanted("rows")) console.table(await benchSizes(options, home, rows));
  if (isWanted("verdicts")) console.table(await benchVerdictFlow(options));
}
