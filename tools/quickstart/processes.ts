import { readdirSync, readFileSync } from "node:fs";

/** Command lines of the processes that were started with something in this folder. */
export function findProcessesOf(folder: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
      } catch {
        // It has just ended.
        return [];
      }
    })
    .filter((line) => line.includes(folder));
}
