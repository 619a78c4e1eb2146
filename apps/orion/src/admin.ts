// npm run admin -w apps/orion -- …: operator commands.
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { explainStartFailure } from "@countersign/platform/process";
import { initialise } from "./admin/init.ts";
import { manageKeys } from "./admin/keys.ts";
import { manageService } from "./admin/service.ts";
import { Config } from "./config.ts";

const usage = `npm run admin -w apps/orion -- <command>

  init               keys create, service register and, with ENGINE_ADMIN_URL and WORKER_URL, the flows; safe to repeat
  keys show          the inbox address, and the OpenPGP fingerprint and public key; never a private key
  keys create        the same, after creating the keys that do not exist yet
  service register   stores the public key on IPFS and registers this service with the ServiceRegistry. Needs
                     SERVICE_REGISTRY_ADDRESS; without REGISTRY_OWNER_PRIVATE_KEY it prints the transaction to send`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Returns false for an unknown command. */
async function obey([subject = "", action]: readonly string[]): Promise<boolean> {
  const log = makeLog({ app: "admin", level: "silent" });
  switch (subject) {
    case "init":
      return initialise({ environment: process.env, log, print });
    case "keys":
      return manageKeys({ settings: loadConfig(Config, process.env), log, print }, action);
    case "service":
      return manageService({ environment: process.env, log, print }, action);
    default:
      return false;
  }
}

try {
  if (!(await obey(process.argv.slice(2)))) {
    print(usage);
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${explainStartFailure("admin", error)}\n`);
  process.exitCode = 1;
}
