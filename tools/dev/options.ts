import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { defaultPorts, portsFrom, type StackPorts } from "./ports.ts";

/** The checkout: apps are found in it, and paths given on the command line are shown relative to it. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

export type DevOptions = {
  readonly dataDir: string;
  readonly ports: StackPorts;
  readonly fresh: boolean;
  readonly logs: boolean;
  /** Whether an owner with transactions of every kind is made, for the pages. */
  readonly story: boolean;
  /** Whether a chain with real contracts and the simulator are started, too. */
  readonly world: boolean;
};

export const usage = `npm run dev -- [--fresh] [--logs] [--no-story] [--no-world] [--data DIR] [--ports BASE]

  --fresh       forget the data of earlier runs
  --logs        show the logs of all parts here (they are in the data folder in any case)
  --no-story    make no owner with transactions for the pages to show
  --no-world    start neither the chain with real contracts nor the simulator
  --data DIR    keep the data there instead of in .data
  --ports BASE  use consecutive ports from BASE on, for a second stack next to the first`;

/** Undefined when only help was asked for. */
export function parseOptions(args: readonly string[]): DevOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      fresh: { type: "boolean", default: false },
      logs: { type: "boolean", default: false },
      "no-story": { type: "boolean", default: false },
      "no-world": { type: "boolean", default: false },
      data: { type: "string", default: resolve(root, ".data") },
      ports: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    dataDir: resolve(values.data),
    ports: values.ports === undefined ? defaultPorts : portsFrom(values.ports),
    fresh: values.fresh,
    logs: values.logs,
    story: !values["no-story"],
    world: !values["no-world"],
  };
}
