// Descriptions of servers: which of their tools send, and how they are given an RPC. Known servers are shipped as data.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { usageError } from "../errors.ts";
import { isObject } from "./message.ts";

/** `passes`: forwarded unchanged. `sends`: needs the user's request, and what it sends is held. `refused`: hidden, and never called. */
export type ToolKind = "passes" | "sends" | "refused";
export type Tools = Readonly<Record<string, ToolKind>>;

export type ServerFile = {
  /** The package's name, by which a command is recognised. */
  readonly name?: string;
  /** The version that the list of tools was made for. */
  readonly version?: string;
  /** Environment variables that hold the URL of its node. */
  readonly rpcEnv?: readonly string[];
  /** Whether it has fixed URLs, so that its calls of `fetch` are redirected. Node programs only. */
  readonly redirect?: boolean;
  readonly tools: Tools;
};

const kinds: ReadonlySet<unknown> = new Set(["passes", "sends", "refused"]);
const folder = join(import.meta.dirname, "known-servers");

const knownNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();

const readKnown = (name: string): ServerFile => readServerFile(join(folder, `${name}.json`));

/** Returns the description that is named, or else the known one whose package the command runs. */
export function chooseServer(named: string | undefined, command: readonly string[]): ServerFile {
  const names = knownNames();
  if (named !== undefined) return names.includes(named) ? readKnown(named) : readServerFile(named);
  const runs = (name: string): boolean =>
    command.some((word) => word === name || word.startsWith(`${name}@`) || word.includes(`/${name}/`));
  return names.map(readKnown).find(({ name }) => name !== undefined && runs(name)) ?? { tools: {} };
}

/** Reads a description strictly: a member that is misspelt would leave a tool unguarded. */
export function readServerFile(path: string): ServerFile {
  const refuse = (why: string): never => {
    throw usageError(`${path} ${why}.`, `Known servers: ${knownNames().join(", ")}`);
  };
  const file = parse(path, refuse);
  const { name, version, rpcEnv = [], redirect = false, tools, ...others } = file;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`has an unknown member, ${unknown}`);
  for (const text of [name, version])
    if (text !== undefined && typeof text !== "string") refuse("has a name or version that is not text");
  if (!Array.isArray(rpcEnv) || !rpcEnv.every((one) => typeof one === "string"))
    return refuse("needs rpcEnv as a list of names");
  if (typeof redirect !== "boolean") return refuse("needs redirect as true or false");
  if (!isObject(tools) || !Object.values(tools).every((kind) => kinds.has(kind)))
    return refuse("needs tools as an object from names to passes, sends or refused");
  return file as unknown as ServerFile;
}

function parse(path: string, refuse: (why: string) => never): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return refuse(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return isObject(value) ? value : refuse("is not a JSON object");
}
