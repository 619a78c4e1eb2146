import { join } from "node:path";

const basics = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR"] as const;

/** Where Node keeps what it has compiled, so that the next process that loads it does not do so again. */
const compiled = join(import.meta.dirname, "../../node_modules/.cache/compiled");

/**
 * The environment of every child process. Children get these variables and their settings, never the whole environment: a
 * variable of the developer's shell must not change what a part does.
 */
export function basicEnvironment(): Record<string, string> {
  const known = basics.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), NODE_COMPILE_CACHE: compiled };
}
