import type { PartName } from "./parts.ts";

/** Who is told what happens to a stack while it happens. */
export type Report = {
  readonly starting: (part: PartName) => void;
  readonly ready: (part: PartName, tookMs: number) => void;
  readonly failed: (part: PartName, reason: string) => void;
  readonly exited: (name: string, reason: string, logFile: string) => void;
  readonly stopped: (name: string, tookMs: number) => void;
};

export const silent: Report = {
  starting: () => undefined,
  ready: () => undefined,
  failed: () => undefined,
  exited: () => undefined,
  stopped: () => undefined,
};
