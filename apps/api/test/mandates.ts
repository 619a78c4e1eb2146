// Drafts, signs and stores mandates for tests, and writes the reports that they are compared with.
import { hashReport, mandateTypedData, type Mandate } from "@countersign/wire";
import type pg from "pg";
import type { TransactionStore } from "../src/transactions/store/index.ts";
import type { Transaction } from "../src/transactions/transaction.ts";
import { aReport } from "./transactions/attestation.ts";
import type { Person } from "./transactions/decide-api.ts";
import type { TestApi } from "./test-api.ts";

export const chain = 11_155_111;
export const shop = `0x${"5b".repeat(20)}`;
export const usdc = `0x${"c0".repeat(20)}`;
export const asset = `eip155:${chain}/erc20:${usdc}`;

const day = 24 * 60 * 60;
export const unixNow = (): number => Math.floor(Date.now() / 1000);

type ForAgent = { readonly agent: { readonly id: string } };

/** Allows 100 USDC a day to one shop. A test changes only what it is about. */
export const aDraft = ({ agent }: ForAgent, more: object = {}): Record<string, unknown> => ({
  agent: `key:${agent.id}`,
  purpose: "Office supplies",
  acts: ["transfer"],
  assets: [asset],
  recipients: [`eip155:${chain}:${shop}`],
  limits: [{ measure: asset, span: "period", seconds: day, most: "100", decimals: 6 }],
  validUntil: unixNow() + 30 * day,
  ...more,
});

type Http = Pick<TestApi, "http">;

export const draft = (
  { http }: Http,
  owner: Person,
  more: object = {},
  headers: Record<string, string> = owner.jwt,
) => http.send({ method: "POST", url: "/mandates/draft", payload: aDraft(owner, more), headers });

/** Drafts the terms and signs them with the owner's wallet. */
export async function signed(api: Http, owner: Person, more: object = {}) {
  const { terms } = (await draft(api, owner, more)).json<{ terms: Mandate }>();
  return { terms, signature: await owner.wallet.signTypedData(mandateTypedData(terms)) };
}

export const grant = (
  { http }: Http,
  owner: Person,
  payload: object,
  headers: Record<string, string> = owner.jwt,
) => http.send({ method: "POST", url: "/mandates", payload, headers });

export type Granted = {
  readonly id: string;
  readonly status: string;
  readonly limits: readonly { readonly reserved: string; readonly spent: string; readonly left: string }[];
};

export async function aMandate(api: Http, owner: Person, more: object = {}): Promise<Granted> {
  const answer = await grant(api, owner, await signed(api, owner, more));
  if (answer.statusCode !== 201) throw new Error(`not granted: ${answer.body}`);
  return answer.json<Granted>();
}

/** An effect in a report: 5 USDC to the shop. */
export const anEffect = (more: object = {}): Record<string, unknown> => ({
  act: "transfer",
  payer: "self",
  receiver: shop,
  target: usdc,
  gives: [{ kind: "token", symbol: "USDC", address: usdc, most: "5", units: "5000000", decimals: 6 }],
  gets: [],
  authority: null,
  fees: [],
  to_chain: null,
  terms: {},
  admin: null,
  ...more,
});

/** A report with these effects, and its hash for the verdict. */
export function reportOf(effects: readonly unknown[]) {
  const report = aReport({ context: { limit: null, calls: [], effects } });
  return { report, reportHash: hashReport(report) };
}

export const find = async (store: Pick<TransactionStore, "find">, { requestHash }: Transaction) => {
  const found = await store.find(requestHash);
  if (found === undefined) throw new Error("gone");
  return found;
};

/** Returns the counters that differ from the sum of their uses. */
export async function audit(client: Pick<pg.Client, "query">): Promise<readonly unknown[]> {
  const { rows } = await client.query<{ limit_id: string }>(
    `select c.limit_id from budget_counters c left join budget_uses u using (limit_id, window_start)
     group by c.limit_id, c.window_start, c.reserved, c.spent
     having c.reserved <> coalesce(sum(u.amount) filter (where u.state = 'held'), 0)
       or c.spent <> coalesce(sum(u.amount) filter (where u.state = 'made'), 0)`,
  );
  return rows;
}
