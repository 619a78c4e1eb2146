// Explains to the operator who set DATABASE_URL why the database cannot be used, in one sentence that repeats no
// value, because the URL contains a password.
import { CannotStart } from "@countersign/platform/process";

const sentences: Readonly<Record<string, string>> = {
  ERR_INVALID_URL: "DATABASE_URL is not a URL such as postgres://user:password@host:5432/database.",
  ENOTFOUND: "The host in DATABASE_URL does not resolve.",
  EAI_AGAIN: "The host in DATABASE_URL does not resolve.",
  ECONNREFUSED: "Nothing listens at the host and port in DATABASE_URL. Is PostgreSQL running there?",
  ECONNRESET: "The server at the host and port in DATABASE_URL closed the connection. Is it PostgreSQL?",
  EHOSTUNREACH: "The host in DATABASE_URL cannot be reached from here.",
  ENETUNREACH: "The host in DATABASE_URL cannot be reached from here.",
  ETIMEDOUT: "The host in DATABASE_URL did not answer in time.",
  ENOENT: "There is no PostgreSQL socket at the path in DATABASE_URL.",
  "28P01": "PostgreSQL rejects the user or the password in DATABASE_URL.",
  "28000": "PostgreSQL does not allow the user in DATABASE_URL to connect from here.",
  "3D000": "The database in DATABASE_URL does not exist. Create it first.",
  "42501": "The user in DATABASE_URL lacks a privilege on the database.",
  "53300": "PostgreSQL has no connections left for the user in DATABASE_URL.",
  "57P03": "PostgreSQL is still starting.",
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** pg reports these without a code. */
function sentenceWithoutCode(message: string): string {
  if (message.includes("primary")) return "None of the hosts in DATABASE_URL is a primary that takes writes.";
  if (/timeout/i.test(message))
    return "PostgreSQL did not answer in time at the host and port in DATABASE_URL.";
  if (/terminated unexpectedly/i.test(message)) return sentences["ECONNRESET"] ?? "";
  if (/SSL|certificate/i.test(message))
    return "No TLS connection to the host in DATABASE_URL: check sslmode and the server's certificate.";
  if (/password must be a string/i.test(message))
    return "PostgreSQL requires a password, and DATABASE_URL has none.";
  return "The database in DATABASE_URL could not be used.";
}

/** Returns the message for the operator. The cause stays on the error for debugging and is not printed. */
export function explainDatabaseError(error: unknown): CannotStart {
  const code = codeOf(error);
  const sentence =
    sentences[code] ?? sentenceWithoutCode(error instanceof Error ? error.message : String(error));
  return new CannotStart(sentence, { cause: error });
}
