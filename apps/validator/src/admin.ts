// npm run admin -w apps/validator -- …: operator commands.
import { systemClock } from "@countersign/platform/clock";
import { loadConfig } from "@countersign/platform/config";
import { explainStartFailure } from "@countersign/platform/process";
import { manageContracts } from "./admin/contracts.ts";
import { manageLists } from "./admin/lists.ts";
import { ListRefused } from "./admin/refused.ts";
import { Config } from "./config.ts";

const usage = `npm run admin -w apps/validator -- <command>

  lists show     each list in VALIDATOR_DATA_DIR: entries, date, age, signature, and whether it is stale
  lists update --from <url or file> [--kind sanctions|scam|blocked-protocols] [--name <name>]
                 [--key <public key>] [--as-of <YYYY-MM-DD>] [--force]
                 gets a list, verifies it and puts it in place; a running validator picks it up.
                 --key     the minisign key that must have signed it, one of LIST_KEYS if that is set
                 --as-of   the date of a list that has none: an array, or one address per line
                 --force   also a list that lost more than half of its entries, or has another name
  contracts update --from <url> --chain <chain id> --address <0x…> [--address <0x…>]
                 asks a Sourcify-compatible service (API v2) whether the source of each contract is verified, and
                 keeps its answer with the ABI in VALIDATOR_DATA_DIR`;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  const [subject, ...rest] = process.argv.slice(2);
  const parts = { clock: systemClock, print };
  const manage = subject === "lists" ? manageLists : subject === "contracts" ? manageContracts : undefined;
  const isKnown =
    manage !== undefined && (await manage({ ...parts, settings: loadConfig(Config, process.env) }, rest));
  if (!isKnown) {
    print(usage);
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(
    error instanceof ListRefused
      ? `Refused: ${error.message}. Nothing was changed.\n`
      : `${explainStartFailure("admin", error)}\n`,
  );
  process.exitCode = 1;
}
