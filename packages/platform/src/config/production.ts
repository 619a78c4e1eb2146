import { z } from "zod";
import { ConfigError, loadConfig, type Environment } from "./load-config.ts";

// A setting says in its metadata how production differs: `inProduction: "required"` if its default is for development only,
// "unset" if it exists for development and tests.

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Addresses under which other machines reach a process. */
const publicAddresses = ["BASE_URL", "UI_URL", "PUBLIC_API_URL"];

const isElsewhere = (host: string | undefined): boolean =>
  host !== undefined && host !== "" && !loopback.test(host);

/**
 * Returns what NODE_ENV says. Without it, a process that other machines can reach counts as production, so that a
 * forgotten variable does not put development defaults on the internet.
 */
export function isProduction(environment: Environment): boolean {
  const { NODE_ENV: named } = environment;
  if (named === "production") return true;
  if (named === "development" || named === "test") return false;
  return (
    isElsewhere(environment["HOST"]) ||
    publicAddresses.some((name) => isElsewhere(URL.parse(environment[name] ?? "")?.hostname))
  );
}

const isSet = (environment: Environment, name: string): boolean => (environment[name] ?? "") !== "";

function problemsOf(schema: z.ZodObject, environment: Environment): readonly string[] {
  return Object.entries(schema.shape).flatMap(([name, setting]) => {
    const rule = z.globalRegistry.get(setting as z.ZodType)?.["inProduction"];
    if (rule === "required" && !isSet(environment, name))
      return [`${name} is required in production: its default is for development`];
    if (rule === "unset" && isSet(environment, name))
      return [`${name} is for development and must not be set in production`];
    return [];
  });
}

/**
 * Reads the settings of a process that is about to serve. In production it refuses development defaults, and whatever
 * `refuse` finds (each a sentence); all problems are reported at once.
 */
export function loadServiceConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
  refuse: (config: z.output<Schema>, environment: Environment) => readonly string[] = () => [],
): z.output<Schema> {
  if (!isProduction(environment)) return loadConfig(schema, environment);
  const problems = problemsOf(schema, environment);
  let config: z.output<Schema>;
  try {
    config = loadConfig(schema, environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError([...error.problems, ...problems]);
    throw error;
  }
  const all = [...problems, ...refuse(config, environment)];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}
