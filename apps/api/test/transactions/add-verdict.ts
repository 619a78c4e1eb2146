// Inserts a signed verdict of a registered service into the database, for tests that skip orion.
import { privateKeyToAccount } from "viem/accounts";
import { newId } from "@countersign/platform/ids";
import { hashReport } from "@countersign/wire";
import type { TestApi } from "../test-api.ts";
import { domainOf } from "../../src/composition/transactions.ts";
import type { TransactionStore } from "../../src/transactions/store/index.ts";
import { inDatabase } from "../transactions.ts";
import type { Hex } from "../../src/transactions/transaction.ts";
import { anAttestation, aReport } from "./decide-api.ts";

const verifier = privateKeyToAccount(`0x${"7a".repeat(32)}`);

export async function addVerdict(
  api: Pick<TestApi, "databaseUrl" | "config">,
  store: Pick<TransactionStore, "find" | "change">,
  requestHash: Hex,
): Promise<void> {
  const transaction = await store.find(requestHash);
  if (transaction === undefined) throw new Error("The transaction does not exist.");
  await inDatabase(api, (client) =>
    client.query(
      `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
       values (1, 11155111, 'Orion', $1, true, $2, 'data:,') on conflict do nothing`,
      [verifier.address.toLowerCase(), "ab".repeat(20)],
    ),
  );
  const report = aReport();
  const approval = {
    ...({ id: newId(), kind: "orion", type: "orion", decision: "APPROVED", approver: null } as const),
    ...{ apiKeyId: null, label: null, confidence: 1, analysis: null, verdictSeen: null },
    attestation: await anAttestation(transaction, verifier, { domain: domainOf(api.config) }),
    reportHash: hashReport(report),
  };
  await store.change({ requestHash }, () => ({ approval, report }));
}
