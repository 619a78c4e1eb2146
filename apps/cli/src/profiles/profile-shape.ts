// The format of the profile file. Unknown fields are rejected by name, never dropped.
import type { Hex, Session } from "@countersign/sdk";
import type { Trust } from "@countersign/sdk/receipt";

export type Profile = {
  /** URL of the main service. */
  readonly url: string;
  readonly validatorUrl?: string;
  /** An agent's key. */
  readonly apiKey?: string;
  /** An owner's session. */
  readonly session?: Session;
  /** A file of mode 0600 with the owner's private key. */
  readonly walletKeyFile?: string;
  /** The account's address. */
  readonly address?: Hex;
  /** The trust for verifying this installation's receipts. */
  readonly trust?: Trust;
};

export type ProfileFile = {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
};

type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value === "string" && value !== "" ? undefined : "must be a non-empty string";
const wholeNumber: Check = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0
    ? undefined
    : "must be a positive integer";
const address: Check = (value) =>
  typeof value === "string" && isAddress(value) ? undefined : "must be an address";
const httpUrl: Check = (value) =>
  typeof value === "string" && isHttpUrl(value) ? undefined : "must be an http(s) URL";

export const isAddress = (value: string): value is Hex => /^0x[0-9a-fA-F]{40}$/.test(value);

export function isHttpUrl(value: string): boolean {
  const protocol = URL.parse(value)?.protocol;
  return protocol === "https:" || protocol === "http:";
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks an object field by field; a name that ends in "?" is optional. */
function members(checks: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isObject(value)) return "must be an object";
    const known = new Map(Object.entries(checks).map(([name, check]) => [name.replace("?", ""), check]));
    const unknown = Object.keys(value).find((name) => !known.has(name));
    if (unknown !== undefined) return `has an unknown field: ${unknown}`;
    for (const [name, check] of Object.entries(checks)) {
      const found = value[name.replace("?", "")];
      if (found === undefined && name.endsWith("?")) continue;
      const problem = check(found);
      if (problem !== undefined) return `${name.replace("?", "")} ${problem}`;
    }
    return undefined;
  };
}

const profile = members({
  url: httpUrl,
  "validatorUrl?": httpUrl,
  "apiKey?": text,
  "session?": members({ accessToken: text, refreshToken: text }),
  "walletKeyFile?": text,
  "address?": address,
  "trust?": members({ chainId: wholeNumber, inbox: address, signer: address }),
});

const everyProfile: Check = (value) => {
  if (!isObject(value)) return "must be an object";
  for (const [name, found] of Object.entries(value)) {
    const problem = isProfileName(name) ? profile(found) : "isn't a valid name";
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
};

const file = members({ "current?": text, profiles: everyProfile });

/** Allows names that are safe in a command line and a file name. */
export const isProfileName = (name: string): boolean => /^(?!\.|__proto__$)[\w.-]{1,64}$/.test(name);

/** Returns the content, or a sentence that describes the problem. */
export function readProfileFile(content: string): ProfileFile | string {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return "it isn't JSON";
  }
  return file(value) ?? (value as ProfileFile);
}
