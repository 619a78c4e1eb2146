// A process that records entries on the Inbox concurrently, to be killed or to run concurrently with another.
import { makeLog } from "@countersign/platform/log";
import { makeInbox } from "../../../src/adapters/inbox/index.ts";
import { privateKeyToAccount } from "viem/accounts";
import { makeOwnWallet } from "../../../src/adapters/own-wallet/index.ts";
import { connectDatabase } from "../../../src/platform/db/connect.ts";
import { makeOwnTransactionStore } from "../../../src/platform/own-wallet/store.ts";
import { record, stepsThat, type InboxRecord } from "./record.ts";

export type RecordOrder = {
  readonly databaseUrl: string;
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly address: `0x${string}`;
  readonly key: `0x${string}`;
  readonly records: readonly InboxRecord[];
  readonly stopBefore?: string;
};

const [, , order = "{}"] = process.argv;
const { databaseUrl, chainId, rpcUrl, address, key, records, stopBefore } = JSON.parse(order) as RecordOrder;
const log = makeLog({ app: "record-worker", level: "info" });
const { db, close } = connectDatabase({ url: databaseUrl, poolSize: 4, log });
const store = makeOwnTransactionStore(db);
const wallet = makeOwnWallet({
  ...{ chainId, rpcUrls: [rpcUrl], signer: async () => privateKeyToAccount(key), pollMs: 100 },
});
const inbox = makeInbox({ wallet, address });
await Promise.all(records.map((one) => record({ store, inbox, step: stepsThat({ stopBefore }) }, one)));
await close();
