// npm run admin -w apps/api -- erase <account>: deletes an account's personal data on which no proof rests, and says what remains.
import type { Counted, RetentionStore } from "../retention/index.ts";
import { isTerminal, statusOfPhase, type Phase } from "../transactions/index.ts";

type Parts = {
  readonly store: Pick<RetentionStore, "erase">;
  readonly print: (line: string) => void;
};

const ended = (Object.keys(statusOfPhase) as Phase[]).filter((phase) => isTerminal({ phase }));

const whyItRemains = [
  "Proposals, decisions, events, reports, mandates and policies are append-only: signed verdicts and receipts refer to them by hash, and later proposals are compared with them.",
  "Registrations on the chain are public and cannot be deleted. They contain hashes and no request.",
  "Encrypted payloads on IPFS: unpin them on your nodes. Copies that others pinned remain.",
  "Backups and archives: delete them when their time is over.",
  "Custodians: the owner disconnects them, which deletes their credentials.",
];

const write = (counted: Counted): string => counted.map(({ what, count }) => `${count} ${what}`).join(", ");

/** Returns false if the argument is not an account. Repeating it deletes what was added since. */
export async function eraseAccount({ store, print }: Parts, [given]: readonly string[]): Promise<boolean> {
  const account = given?.toLowerCase() ?? "";
  if (!/^0x[0-9a-f]{40}$/.test(account)) return false;
  const erasure = await store.erase(account, ended);
  switch (erasure.outcome) {
    case "unknown":
      print(`There is no account ${account}. Nothing was deleted.`);
      return true;
    case "open":
      print(`${erasure.proposals} proposals of ${account} are open. Nothing was deleted.`);
      print("Let the owner reject them, or repeat this once they have expired or been executed.");
      return true;
    case "erased":
      print(`Deleted: ${write(erasure.deleted)}`);
      print(`Remaining: ${write(erasure.remaining)}`);
      for (const reason of whyItRemains) print(`- ${reason}`);
      return true;
  }
}
