// The folder, the ports and the supervisor of a stage, which all of its parts share.
import type { DataDir } from "../dev/data-dir.ts";
import type { StackUrls } from "../dev/parts.ts";
import type { StackPorts } from "../dev/ports.ts";
import type { Supervisor } from "../engines/supervisor.ts";

export type Environment = Readonly<Record<string, string>>;

export type Ground = {
  readonly supervisor: Supervisor;
  readonly dir: DataDir;
  readonly ports: StackPorts;
  readonly urls: StackUrls;
};
