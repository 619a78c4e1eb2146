// Who may do what: the checks a provider of quorum wallets makes. Written apart from the client in apps/api on purpose, so
// that a mistake in one of them shows.
import { createPublicKey, verify, type KeyObject } from "node:crypto";

export type Quorum = {
  readonly id: string;
  readonly displayName: string;
  readonly publicKeys: readonly string[];
  readonly threshold: number;
};

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

export const isAppKnown = ({ headers }: Asked, appId: string, appSecret: string): boolean =>
  headers["authorization"] === `Basic ${Buffer.from(`${appId}:${appSecret}`).toString("base64")}` &&
  headers["privy-app-id"] === appId;

/** RFC 8785, for what JSON.parse gives. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

const signedText = ({ method, url, headers, body }: Asked): Buffer => {
  const theirs = Object.entries(headers).filter(
    ([name]) => name.startsWith("privy-") && name !== "privy-authorization-signature",
  );
  return Buffer.from(canonical({ version: 1, method, url, body, headers: Object.fromEntries(theirs) }));
};

/** Every signature must be of a member, and there must be enough members. */
export function isSignedBy(quorum: Quorum, asked: Asked): boolean {
  const signatures = (asked.headers["privy-authorization-signature"] ?? "").split(",").filter(Boolean);
  const text = signedText(asked);
  const signers = signatures.map((signature) =>
    quorum.publicKeys.find((key) => {
      const publicKey = readP256Key(key);
      return publicKey && verify("sha256", text, publicKey, Buffer.from(signature, "base64"));
    }),
  );
  return !signers.includes(undefined) && new Set(signers).size >= quorum.threshold;
}

/** Base64 of the DER of an SPKI. */
export function readP256Key(text: unknown): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(String(text), "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    // The callers are our own programs: a 400 shows the mistake.
    return undefined;
  }
}
