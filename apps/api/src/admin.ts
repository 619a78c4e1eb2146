// npm run admin -w apps/api -- …: what only the operator may do, with the database's credentials and no other.
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { manageFlows } from "./admin/flows.ts";
import { Config } from "./config.ts";
import { connectDatabase } from "./platform/db/connect.ts";
import { makeFlowStore } from "./platform/flows/index.ts";

const usage = `npm run admin -w apps/api -- <command>

  flows                what durable work waits, runs or is parked
  flows take-up-anew   after the engine lost its state: start everything unfinished again from the record`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const { DATABASE_URL: url } = loadConfig(Config, process.env);
const database = connectDatabase({ url, poolSize: 1, log: makeLog({ app: "admin", level: "warn" }) });
try {
  const [subject, action] = process.argv.slice(2);
  const done = subject === "flows" && (await manageFlows(makeFlowStore(database.db), action, print));
  if (!done) {
    print(usage);
    process.exitCode = 1;
  }
} finally {
  await database.close();
}
