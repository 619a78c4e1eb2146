/** Collects real requests to start from: the examples on the checks' pages, and a sample of every protocol. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { aCall, samplesOf, type Sample } from "./protocols.ts";
import type { RealEngine } from "./real-engine.ts";
import { someRequests } from "./some-requests.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Request = { readonly human_intent: string; readonly proposed_tx: Json; readonly metadata: Json };

export type Corpus = {
  /** Requests that pass as they are. */
  readonly honest: readonly Request[];
  /** Transactions in the form of a request: calls, typed data, authorizations. */
  readonly transactions: readonly { readonly chain: number; readonly tx: Json }[];
  readonly typedData: readonly Json[];
  /** The selectors of all known calls. */
  readonly selectors: readonly string[];
};

const blockOf = (section: string): string | undefined => /^```json\n([^]*?)^```/m.exec(section)?.[1];

export async function gatherCorpus({ engine, ask, takeLines }: RealEngine): Promise<Corpus> {
  const pages = engine.nodes.flatMap(({ page }) => blockOf(page.sections.get("Passes") ?? "") ?? []);
  const candidates = [...new Set([...pages, ...someRequests.map((one) => JSON.stringify(one))])];
  const honest: Request[] = [];
  for (const text of candidates)
    if ((await ask(text))?.decision === "PASS") honest.push(filled(JSON.parse(text) as Partial<Request>));
  takeLines();
  const transactions = sampleTransactions();
  const selectors = transactions.flatMap(({ tx }) =>
    [tx, ...((tx["transactions"] as readonly Json[] | undefined) ?? [])].flatMap(({ data }) =>
      typeof data === "string" && data.length >= 10 ? [data.slice(0, 10)] : [],
    ),
  );
  return {
    honest,
    transactions,
    typedData: transactions.flatMap(({ tx }) => (tx["order"] === undefined ? [] : [tx["order"] as Json])),
    selectors: [...new Set(selectors)],
  };
}

/** The transactions of all samples of all protocols, in the form of a request. */
export const sampleTransactions = (): Corpus["transactions"] =>
  readdirSync(path.join(import.meta.dirname, "../src/protocols"))
    .filter((name) => name.endsWith(".samples.json"))
    .sort()
    .flatMap((name) => samplesOf(name.slice(0, -".samples.json".length)))
    .map((sample) => ({ chain: sample.chain, tx: asTransaction(sample) }));

const filled = ({ human_intent, proposed_tx, metadata }: Partial<Request>): Request => ({
  human_intent: human_intent ?? "",
  proposed_tx: proposed_tx ?? {},
  metadata: metadata ?? {},
});

function asTransaction({ call, calls, typedData, authorizations }: Sample): Json {
  const show = (one: Parameters<typeof aCall>[0]): Json => {
    const { to, data, value } = aCall(one);
    return { to, data, value: value.toString() };
  };
  return {
    ...(call === undefined ? {} : show(call)),
    ...(calls === undefined ? {} : { transactions: calls.map(show) }),
    ...(typedData === undefined ? {} : { order: typedData }),
    ...(authorizations === undefined
      ? {}
      : {
          authorizationList: authorizations.map(({ chainId, delegate }) => ({
            chainId: String(chainId),
            address: delegate,
          })),
        }),
  };
}
