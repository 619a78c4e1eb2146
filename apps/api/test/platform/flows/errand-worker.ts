// A process that runs the test flow, to be killed.
import pg from "pg";
import { makeLog } from "@countersign/platform/log";
import { serveFlows } from "@countersign/platform/engine";
import { connectDatabase } from "../../../src/platform/db/connect.ts";
import { makeFlowStore } from "../../../src/platform/flows/store.ts";
import { makeErrands } from "./errand.ts";

const [, , databaseUrl = "", port = "", identityKey = "", version = ""] = process.argv;
const log = makeLog({ app: "errand-worker", level: "info" });
const { db } = connectDatabase({ url: databaseUrl, poolSize: 4, log });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
const flows = makeErrands({ pool, store: makeFlowStore(db), version });
await serveFlows({
  app: "errand",
  flows,
  identityKeys: [identityKey],
  host: "127.0.0.1",
  port: Number(port),
  log,
});
log.info("running", { version });
