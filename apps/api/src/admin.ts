// npm run admin -w apps/api -- …: what only the operator may do, with the database's credentials and no other.
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { explainStartFailure } from "@countersign/platform/process";
import { systemClock } from "@countersign/platform/clock";
import { showCosignerKey } from "./admin/cosigner-key.ts";
import { manageFlows } from "./admin/flows.ts";
import { manageKeys } from "./admin/keys.ts";
import { migrateDatabase } from "./platform/db/migrate-as-owner.ts";
import { manageSecrets } from "./admin/secrets.ts";
import { manageTokenKeys } from "./admin/token-keys.ts";
import { makeApiKeys } from "./composition/identity.ts";
import { Config } from "./config.ts";
import { connectDatabase, type Database } from "./platform/db/connect.ts";
import { explainDatabaseError } from "./platform/db/explain-database-error.ts";
import { makeFlowStore } from "./platform/flows/index.ts";
import { loadKeks, makeSecretStore } from "./platform/secrets/index.ts";

const usage = `npm run admin -w apps/api -- <command>

  cosigner-key         the public key (PEM) that custodians' co-signers check our answers with
  flows                what durable work waits, runs or is parked
  flows take-up-anew   after the engine lost its state: start everything unfinished again from the record
  migrate              as the role of DATABASE_MIGRATION_URL: bring the schema up to date, grant the service's role what it needs
  keys                 the ADMIN and ORION keys, without their secrets
  keys create <admin|orion> <name> [--label agent|arbiter|user|orion]
  keys revoke <id>
  secrets              which secrets the service has, since when and under which key; never their values
  secrets rewrap       after a new key was put first: put every secret under it, so that the old key can go
  token-keys           the keys that tokens are signed with
  token-keys rotate    add one; nobody is signed out`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const log = makeLog({ app: "admin", level: "info" });

/** Whether there is such a command; if so, it has been done. */
async function obey(
  { config, database }: { readonly config: Config; readonly database: Database },
  [subject = "", ...rest]: readonly string[],
): Promise<boolean> {
  const secrets = makeSecretStore({ db: database.db, keks: () => loadKeks(config, log) });
  switch (subject) {
    case "cosigner-key":
      return showCosignerKey(secrets, rest[0], print);
    case "flows":
      return manageFlows(makeFlowStore(database.db), rest[0], print);
    case "migrate":
      return migrateDatabase(config, print);
    case "keys":
      return manageKeys(
        makeApiKeys({ config, db: database.db, secrets, clock: systemClock, log }),
        rest,
        print,
      );
    case "token-keys":
      return manageTokenKeys({ secrets, clock: systemClock }, rest[0], print);
    case "secrets":
      return manageSecrets(secrets, rest[0], print);
    default:
      return false;
  }
}

async function run(): Promise<boolean> {
  const config = loadConfig(Config, process.env);
  const database = connectDatabase({ url: config.DATABASE_URL, poolSize: 1, log });
  try {
    await database.ping().catch((error: unknown) => {
      throw explainDatabaseError(error);
    });
    return await obey({ config, database }, process.argv.slice(2));
  } finally {
    await database.close();
  }
}

try {
  if (!(await run())) {
    print(usage);
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${explainStartFailure("admin", error)}\n`);
  process.exitCode = 1;
}
