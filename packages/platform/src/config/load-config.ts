import type { z } from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reports all problems at once, so that an operator can fix a deployment in one go. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads an app's settings from the environment. An empty variable counts as unset, as `.env` files and container
 * tools write it. Values never appear in the message: one of them may be a secret.
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? "");
      return name in given ? `${name}: ${issue.message}` : `${name} is required and not set`;
    }),
  );
}
