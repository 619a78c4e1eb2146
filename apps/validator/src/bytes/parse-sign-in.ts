/** Parses a sign-in message (EIP-4361). Strict: a text that a site could read in another way is not one. */
import { getAddress } from "viem/utils";
import type { Address } from "../proposal.ts";

export type SignIn = {
  /** The host that asks, with its port, in lower case. */
  readonly site: string;
  readonly address: Address;
  readonly statement: string | null;
  readonly uri: string;
  readonly chainId: bigint;
  readonly nonce: string;
  /** Unix seconds; null if the message has none. */
  readonly expires: bigint | null;
  /** Fields with a meaning that only the site knows: a request id, resources. */
  readonly others: readonly string[];
};

const opening = /^(?:https:\/\/)?(\S+) wants you to sign in with your Ethereum account:$/;
const instant = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})`;

/** The fields after the statement, in their order. */
const fields = [
  { name: "uri", pattern: /^URI: (\S+)$/, isRequired: true },
  { name: "version", pattern: /^Version: (1)$/, isRequired: true },
  { name: "chainId", pattern: /^Chain ID: ([1-9]\d{0,15})$/, isRequired: true },
  { name: "nonce", pattern: /^Nonce: ([a-zA-Z0-9]{8,128})$/, isRequired: true },
  { name: "issued", pattern: new RegExp(`^Issued At: (${instant})$`), isRequired: true },
  { name: "expires", pattern: new RegExp(`^Expiration Time: (${instant})$`), isRequired: false },
  { name: "notBefore", pattern: new RegExp(`^Not Before: (${instant})$`), isRequired: false },
  { name: "request", pattern: /^Request ID: (\S*)$/, isRequired: false },
] as const;

type Name = (typeof fields)[number]["name"];

/** Null for a text that does not begin as a sign-in. */
export function parseSignIn(text: string): SignIn | { readonly fault: string } | null {
  const lines = text.split("\n");
  const site = opening.exec(lines[0] ?? "")?.[1];
  if (site === undefined) return null;
  const address = readAddress(lines[1] ?? "");
  if (address === null) return { fault: "its account is not an address with its checksum" };
  const body = readStatement(lines.slice(2));
  if (body === null) return { fault: "it is not written as EIP-4361 requires" };
  const found = readFields(body.rest);
  return found === null
    ? { fault: "it is not written as EIP-4361 requires" }
    : { ...found, site: site.toLowerCase(), address, statement: body.statement };
}

function readAddress(line: string): Address | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(line)) return null;
  return getAddress(line) === line ? (line.toLowerCase() as Address) : null;
}

type Body = { readonly statement: string | null; readonly rest: readonly string[] };

/** An empty line, a statement of one line, an empty line. Without a statement there are one or two empty lines. */
function readStatement([first, second, third, ...rest]: readonly string[]): Body | null {
  if (first !== "" || second === undefined) return null;
  if (second === "") return { statement: null, rest: third === undefined ? rest : [third, ...rest] };
  if (second.startsWith("URI: "))
    return { statement: null, rest: third === undefined ? [second] : [second, third, ...rest] };
  return third === "" ? { statement: second, rest } : null;
}

type Fields = Omit<SignIn, "site" | "address" | "statement">;

function readFields(lines: readonly string[]): Fields | null {
  const values = readValues(lines);
  if (values === null || instants.some((name) => Number.isNaN(Date.parse(values.get(name) ?? "1970-01-01"))))
    return null;
  const resources = readResources(lines.slice(values.size));
  if (resources === null) return null;
  const expires = values.get("expires");
  return {
    uri: values.get("uri") ?? "",
    chainId: BigInt(values.get("chainId") ?? "0"),
    nonce: values.get("nonce") ?? "",
    expires: expires === undefined ? null : BigInt(Math.floor(Date.parse(expires) / 1000)),
    others: [...(values.has("request") ? ["a request id"] : []), ...resources],
  };
}

const instants = ["issued", "expires", "notBefore"] as const;

/** One line each, in their order. */
function readValues(lines: readonly string[]): ReadonlyMap<Name, string> | null {
  const values = new Map<Name, string>();
  for (const { name, pattern, isRequired } of fields) {
    const value = pattern.exec(lines[values.size] ?? "")?.[1];
    if (value !== undefined) values.set(name, value);
    else if (isRequired) return null;
  }
  return values;
}

/** Null if the lines are something else than resources. */
function readResources([title, ...list]: readonly string[]): readonly string[] | null {
  if (title === undefined) return [];
  return title === "Resources:" && list.every((line) => /^- \S+$/.test(line)) ? ["resources"] : null;
}
