const basics = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR"] as const;

/**
 * What every process may know of its surroundings. Children get this and what they are told, never the whole environment:
 * a variable that happens to be set in somebody's shell must not change what a part does.
 */
export function basicEnvironment(): Record<string, string> {
  return Object.fromEntries(
    basics.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
