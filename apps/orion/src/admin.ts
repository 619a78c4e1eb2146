// npm run admin -w apps/orion -- …: what only the operator may do.
import { ConfigError, loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { manageKeys } from "./admin/keys.ts";
import { Config } from "./config.ts";

const usage = `npm run admin -w apps/orion -- <command>

  keys show     the inbox address, and the OpenPGP fingerprint and public key; never a private key
  keys create   the same, after making the keys that are not there`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const [subject, action] = process.argv.slice(2);
try {
  const settings = loadConfig(Config, process.env);
  const log = makeLog({ app: "admin", level: "silent" });
  if (subject !== "keys" || !(await manageKeys({ settings, log, print }, action))) {
    print(usage);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
