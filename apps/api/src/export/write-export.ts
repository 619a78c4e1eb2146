// The lines of an export: everything that the service stores about an account, a page at a time.
import type { Clock } from "@countersign/platform/clock";
import type { Account } from "../accounts/index.ts";
import { sections } from "./sections.ts";
import type { ExportStore, Page, Row } from "./store.ts";

/** A proposal with the decisions about it, and its receipt once it has a verdict. */
type ExportedProposal = { readonly proposal: object; readonly receipt: object | undefined };

export type ExportParts = {
  readonly store: ExportStore;
  /** Yields the account's proposals, newest first. */
  readonly readProposals: (account: Account) => AsyncIterable<ExportedProposal>;
  readonly clock: Clock;
};

const camelOf = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

const shownOf = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      camelOf(column),
      value instanceof Uint8Array ? `0x${Buffer.from(value).toString("hex")}` : value,
    ]),
  );

const lineOf = (kind: string, data: object): string => `${JSON.stringify({ kind, data })}\n`;

/** After a look at the database, so that nothing is answered while it is away. */
async function* headOf({ store, clock }: ExportParts, account: Account): AsyncGenerator<string> {
  await store.readPage(account, sections[0], undefined);
  yield lineOf("export", { version: 1, account, at: clock.now().toISOString() });
}

async function* rowsOf({ store }: ExportParts, account: Account): AsyncGenerator<string> {
  for (const section of sections) {
    let page: Page = { rows: [], next: undefined };
    do {
      page = await store.readPage(account, section, page.next);
      for (const row of page.rows) yield lineOf(section.kind, shownOf(row));
    } while (page.next !== undefined);
  }
}

async function* proposalsOf({ readProposals }: ExportParts, account: Account): AsyncGenerator<string> {
  for await (const { proposal, receipt } of readProposals(account)) {
    yield lineOf("proposal", proposal);
    if (receipt !== undefined) yield lineOf("receipt", receipt);
  }
}

/**
 * Yields each line with its line end. The last one is of the kind `end` and has the number of lines before it: without it the
 * export is incomplete.
 */
export async function* writeExport(parts: ExportParts, account: Account): AsyncGenerator<string> {
  let lines = 0;
  for (const part of [headOf(parts, account), rowsOf(parts, account), proposalsOf(parts, account)])
    for await (const line of part) {
      lines++;
      yield line;
    }
  yield lineOf("end", { lines });
}
