// An installation of an older version, which is about to be replaced.
import { resolve } from "node:path";
import { root } from "../dev/options.ts";
import { startInstallation, type Installation } from "./installation.ts";

type Options = {
  readonly path: string;
  /** The checkout of the older version, with its packages installed. Undefined: this one. */
  readonly from: string | undefined;
};

/** Less than the supervisor's patience with a process that stops. */
const drainSeconds = "5";

/** An older version may not be able to read what compact storage writes. */
const env = { DRAIN_SECONDS: drainSeconds, COMPACT_STORAGE: "false" };

export const startOlder = ({ path, from = root }: Options): Promise<Installation> =>
  startInstallation({ path, checkout: resolve(from), env });
