import { Readable } from "node:stream";
import type { Log } from "@countersign/platform/log";
import type { Account } from "../accounts/index.ts";
import { exportErrors } from "./errors.ts";
import { writeExport, type ExportParts } from "./write-export.ts";

type Asked = { readonly account: Account; readonly stillHolds: () => Promise<boolean> };

/** How often the credential is checked again. */
const linesPerCheck = 200;

/** Throws once the credential was revoked or has expired, which ends the answer without its last line. */
async function* whileHeld(
  lines: AsyncGenerator<string>,
  stillHolds: () => Promise<boolean>,
): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    if (++count % linesPerCheck === 0 && !(await stillHolds())) throw new Error("the credential has ended");
    yield line;
  }
}

/** Reads up to the first line, so that a failing database is an error and not an answer that ends early. */
async function begin(lines: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await lines.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* lines;
  })();
}

/** Opens exports as streams that read on as fast as they are received. Each account has one at a time in this process. */
export const makeOpenExport = ({ log, ...parts }: ExportParts & { readonly log: Log }) => {
  const open = new Set<Account>();
  return async ({ account, stillHolds }: Asked): Promise<Readable> => {
    if (open.has(account)) throw exportErrors.underWay();
    open.add(account);
    try {
      const lines = await begin(whileHeld(writeExport(parts, account), stillHolds));
      const stream = Readable.from(lines, { highWaterMark: 4 });
      stream.once("close", () => open.delete(account));
      stream.once("error", (error) => {
        log.warn("export not completed", { error });
      });
      return stream;
    } catch (error) {
      open.delete(account);
      throw error;
    }
  };
};
