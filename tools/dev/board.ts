import type { ChildExit } from "../engines/supervisor.ts";
import type { BringUpPart } from "./bring-up.ts";
import { addressOf, partNames, type Part, type PartName, type StackUrls } from "./parts.ts";
import type { Report } from "./report.ts";

/** The state of each part of a stack. */
export type Board = {
  readonly part: BringUpPart;
  /** Records that a running part has ended. Returns false if it was not running: then the starter reports it. */
  readonly noteExit: (exit: ChildExit) => boolean;
  readonly parts: () => readonly Part[];
  /** From here on nothing is reported: parts that end now were made to. */
  readonly close: () => void;
};

type Options = {
  readonly urls: StackUrls;
  readonly logFile: (name: string) => string;
  readonly report: Report;
};

export function makeBoard({ urls, logFile, report }: Options): Board {
  const statuses = new Map<string, string>();
  let isClosed = false;

  const part: BringUpPart = async (name, after, start) => {
    await Promise.all(after.filter((earlier) => earlier !== undefined));
    if (!isClosed) report.starting(name);
    const began = performance.now();
    try {
      const result = await start();
      statuses.set(name, result.status);
      if (!isClosed) report.ready(name, performance.now() - began);
      return result;
    } catch (error) {
      // One failure ends the start, and takes the other parts down with it. Only the first is a reason.
      if (!isClosed) report.failed(name, error instanceof Error ? error.message : String(error));
      isClosed = true;
      throw new Error(`${name} did not start, so everything else was stopped again.`, { cause: error });
    }
  };

  const describe = (name: PartName): Part => ({
    name,
    address: addressOf(urls)[name],
    status: [statuses.get(name), name === "anvil" ? statuses.get("contracts") : undefined]
      .filter((status) => status !== undefined)
      .join(", "),
    logFile: logFile(name),
  });

  return {
    part,
    noteExit: ({ name, reason, logFile: log }) => {
      if (isClosed || !(statuses.has(name) || name === "guard")) return false;
      statuses.set(name, `exited (${reason})`);
      report.exited(name, reason, log);
      return true;
    },
    // The contracts are no process: they are told of in the chain's line.
    parts: () => partNames.filter((name) => name !== "contracts" && statuses.has(name)).map(describe),
    close: () => {
      isClosed = true;
    },
  };
}
