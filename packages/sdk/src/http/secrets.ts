// Errors end up in logs. Our services do not echo secrets, but a proxy in between might.
import type { Question } from "./ask.ts";

const secretHeaders: readonly string[] = ["authorization", "x-api-key", "x-connect-verifier"];
const secretMembers: readonly string[] = [
  "code",
  "codeVerifier",
  "code_verifier",
  "refreshToken",
  "refresh_token",
  "token",
  "signature",
];

/** Removes the secrets of the request from the text. */
export function hideSecrets(text: string, { path, ask }: Question): string {
  const { headers = {}, query = {}, form = {}, body } = ask;
  const members = [path.split("?")[1] ?? "", form]
    .flatMap((part) => [...new URLSearchParams(part)] as (readonly [string, unknown])[])
    .concat(Object.entries({ ...query, ...(typeof body === "object" ? body : {}) }));
  const secrets = [
    ...Object.entries(headers).filter(([name]) => secretHeaders.includes(name.toLowerCase())),
    ...members.filter(([name]) => secretMembers.includes(name)),
  ].flatMap(([, value]) => (typeof value === "string" ? [value.replace(/^Bearer /, "")] : []));
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "(hidden)")), text);
}
