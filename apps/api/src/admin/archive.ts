// npm run admin -w apps/api -- archive <folder> <YYYY-MM>: writes the receipts of a month to a file, so that they can be checked
// without this service and its database.
import { createHash } from "node:crypto";
import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { firstIdOf, type Listed, type RetentionStore } from "../retention/index.ts";

export type ArchiveParts = {
  readonly store: Pick<RetentionStore, "listVerdicts">;
  /** Returns the receipt of a proposal, with the inputs of its verdict if they are stored. */
  readonly readReceipt: (requestHash: Listed["requestHash"]) => Promise<unknown>;
  readonly now: () => Date;
  readonly print: (line: string) => void;
};

type Counts = { receipts: number; open: number };

const pageSize = 100;

/** Returns the start of a month and of the next one, in UTC. Undefined for anything but a month that is over. */
function readMonth(text: string, now: Date): { readonly from: Date; readonly to: Date } | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const from = new Date(Date.UTC(Number(year), Number(month) - 1));
  const to = new Date(Date.UTC(Number(year), Number(month)));
  return to <= now ? { from, to } : undefined;
}

/** Yields a line for each receipt. Pages by id, so that a month of any size needs little memory. */
async function* linesOf(
  { store, readReceipt }: ArchiveParts,
  range: { readonly after: string; readonly before: string },
  counts: Counts,
): AsyncGenerator<string> {
  let after = range.after;
  for (;;) {
    const page = await store.listVerdicts(after, range.before, pageSize);
    for (const { requestHash, final } of page) {
      counts.receipts++;
      if (!final) counts.open++;
      yield `${JSON.stringify(await readReceipt(requestHash))}\n`;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}

/** Writes to a draft first: a file with the final name is whole. Only its owner may read it. */
async function writeFileOf(path: string, lines: AsyncGenerator<string>): Promise<string> {
  const draft = `${path}.part`;
  const file = await open(draft, "w", 0o600);
  const hash = createHash("sha256");
  await pipeline(
    Readable.from(lines),
    createGzip(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    file.createWriteStream({ flush: true }),
  );
  await rename(draft, path);
  return hash.digest("hex");
}

/** Returns false if the arguments are not a folder and a month that is over. Repeating it replaces the files of the month. */
export async function archiveMonth(
  parts: ArchiveParts,
  [folder, month = ""]: readonly string[],
): Promise<boolean> {
  const range = readMonth(month, parts.now());
  if (folder === undefined || range === undefined) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `receipts-${month}.ndjson.gz`;
  const counts: Counts = { receipts: 0, open: 0 };
  const ids = { after: firstIdOf(range.from), before: firstIdOf(range.to) };
  const sha256 = await writeFileOf(join(folder, name), linesOf(parts, ids, counts));
  await writeFile(join(folder, `${name}.sha256`), `${sha256}  ${name}\n`, { mode: 0o600 });
  parts.print(`${counts.receipts} receipts of ${month} written to ${join(folder, name)}`);
  if (counts.open > 0)
    parts.print(`${counts.open} of them can still change: repeat this once their transactions are final.`);
  return true;
}
