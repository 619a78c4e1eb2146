// npm run admin -w apps/api -- …: operator commands, which need only the database's credentials.
import { loadConfig } from "@countersign/platform/config";
import { registerFlows } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { explainStartFailure } from "@countersign/platform/process";
import { systemClock } from "@countersign/platform/clock";
import { archiveMonth } from "./admin/archive.ts";
import { showCosignerKey } from "./admin/cosigner-key.ts";
import { examineAll } from "./admin/doctor.ts";
import { manageFlows } from "./admin/flows.ts";
import { eraseAccount } from "./admin/erase.ts";
import { initialise } from "./admin/init.ts";
import { SetupConfig } from "./admin/installation.ts";
import { manageKeys } from "./admin/keys.ts";
import { migrateDatabase } from "./platform/db/migrate-as-owner.ts";
import { manageSecrets } from "./admin/secrets.ts";
import { manageTokenKeys } from "./admin/token-keys.ts";
import { labels } from "./api-keys/index.ts";
import { makeArchive } from "./composition/archive.ts";
import { examinationsOf, homeChainOf } from "./composition/doctor.ts";
import { makeApiKeys } from "./composition/identity.ts";
import { Config } from "./config.ts";
import { makeRetentionStore } from "./retention/index.ts";
import { connectDatabase, type Database } from "./platform/db/connect.ts";
import { explainDatabaseError } from "./platform/db/explain-database-error.ts";
import { makeFlowStore } from "./platform/flows/index.ts";
import { loadKeks, makeSecretStore, type SecretStore } from "./platform/secrets/index.ts";

const usage = `npm run admin -w apps/api -- <command>

  init                 set up what is missing: schema, wallets, contracts, gas, first ADMIN and ORION key, flows
  doctor               examine everything that the service depends on, and say what to do
  archive <folder> <YYYY-MM>
                       write the receipts of a month that is over to a file, to be checked without this service
  cosigner-key         the public key (PEM) with which custodians' co-signers verify our answers
  erase <account>      delete an account's personal data on which no proof rests, and say what remains
  flows                show durable work that waits, runs or is parked
  flows retry          after the engine lost its state: retry all unfinished work from the database
  migrate              as the role of DATABASE_MIGRATION_URL: migrate the schema and grant the service's role its privileges
  keys                 list the ADMIN and ORION keys, without their secrets
  keys create <admin|orion> <name> [--label ${labels.join("|")}]
  keys revoke <id>
  secrets              list the service's secrets with dates and keys; never their values
  secrets rewrap       after a new key was put first: rewrap every secret with it, so that the old key can be removed
  token-keys           list the keys that sign tokens
  token-keys rotate    add one; no session ends`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const log = makeLog({ app: "admin", level: "info" });

type Parts = { readonly config: Config; readonly database: Database; readonly secrets: SecretStore };

async function initialiseWith({ config, database, secrets }: Parts): Promise<boolean> {
  const setup = loadConfig(SetupConfig, process.env);
  if (setup.DATABASE_MIGRATION_URL !== undefined) await migrateDatabase(setup, print);
  return initialise({
    ...{ config: setup, secrets, print, chain: homeChainOf(setup) },
    keys: makeApiKeys({ config, db: database.db, secrets, clock: systemClock, log }),
    registerWorker: async (adminUrl, workerUrl) =>
      (await registerFlows({ adminUrl, workerUrl, force: false })).services,
  });
}

async function examine(secrets: SecretStore): Promise<true> {
  const setup = loadConfig(SetupConfig, process.env);
  if (!(await examineAll(examinationsOf(setup, secrets), print))) process.exitCode = 1;
  return true;
}

/** Runs the command. Returns false if it is unknown. */
async function obey(
  { config, database }: { readonly config: Config; readonly database: Database },
  [subject = "", ...rest]: readonly string[],
): Promise<boolean> {
  const secrets = makeSecretStore({ db: database.db, keks: () => loadKeks(config, log) });
  switch (subject) {
    case "init":
      return initialiseWith({ config, database, secrets });
    case "doctor":
      return examine(secrets);
    case "archive":
      return archiveMonth({ ...makeArchive(config, database.db), now: systemClock.now, print }, rest);
    case "cosigner-key":
      return showCosignerKey(secrets, rest[0], print);
    case "erase":
      return eraseAccount({ store: makeRetentionStore(database.db), print }, rest);
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
