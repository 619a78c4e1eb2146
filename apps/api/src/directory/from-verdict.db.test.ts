// Follows a verdict from orion's POST to the public answers, through every part in between.
import { waitUntil } from "@countersign/tools/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { aWallet, signIn } from "../../test/sign-in.ts";
import { makeRollUp } from "./roll-up.ts";
import { makeRollUpStore } from "./store/roll-up.ts";

let api: TestApiWithKeys;
let database: Database;
beforeAll(async () => {
  api = await aTestApiWithKeys();
  database = connectDatabase({
    url: api.databaseUrl,
    poolSize: 1,
    log: makeLog({ app: "api", level: "silent" }),
  });
});
afterAll(async () => {
  await database.close();
  await api.close();
});

type Metrics = Record<
  "topProtocols" | "topFailureNodes",
  { readonly name: string; readonly count: number }[]
>;

test("counts the protocol and the failed check of a verdict's report in every period", async () => {
  const wallet = aWallet();
  await signIn(api, wallet);
  const [admin, orion] = [await api.issueServerKey("admin"), await api.issueServerKey("orion")];
  const post = (url: string, payload: object, key: string) =>
    api.http.send({ method: "POST", url, payload, headers: { "x-api-key": key } });
  const reports = [
    { protocol: "uniswap_v2", primary_failure_node: null },
    { protocol: "uniswap_v2", primary_failure_node: "intent_alignment.amount_match" },
    { protocol: "native", primary_failure_node: null },
    { protocol: null, primary_failure_node: "technical_invariants.decodability" },
  ];
  for (const report of reports) {
    const proposed = await post(
      "/transactions",
      {
        escrowAddress: wallet.address,
        userPrompt: "Send nothing",
        tx: { to: wallet.address, value: "0", data: "0x" },
      },
      admin,
    );
    const { requestHash } = proposed.json<{ requestHash: string }>();
    const decision = report.primary_failure_node === null ? "APPROVED" : "REJECTED";
    const verdict = { decision, confidence: 0.9, analysis: "as it says", report };
    expect((await post(`/transactions/${requestHash}/approvals`, verdict, orion)).statusCode).toBe(201);
  }
  const rollUp = makeRollUp({ store: makeRollUpStore(database.db) });
  const readMetrics = async (period: string): Promise<Metrics> =>
    (await api.http.send(`/public/agents/${wallet.address}/metrics?period=${period}`)).json<Metrics>();
  await waitUntil("all is counted", async () => {
    await rollUp();
    return (await readMetrics("all")).topFailureNodes.length === 2;
  });
  for (const period of ["24h", "7d", "30d", "all"])
    expect(await readMetrics(period)).toMatchObject({
      topProtocols: [
        { name: "uniswap_v2", count: 2 },
        { name: "native", count: 1 },
      ],
      topFailureNodes: [
        { name: "intent_alignment.amount_match", count: 1 },
        { name: "technical_invariants.decodability", count: 1 },
      ],
    });
});
