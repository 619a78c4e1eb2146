import { redact } from "../log/redact.ts";

/**
 * The allow-list of span attributes. Others are dropped, as for log fields: collectors keep spans outside of our
 * control, so no request text, key, signature, query or account may reach one.
 */
const attributeNames = [
  "countersign.attempt",
  "countersign.channel",
  "countersign.decision",
  "countersign.flow",
  "countersign.lane",
  "countersign.request_hash",
  "countersign.step",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "peer.service",
  "rpc.method",
] as const;

export type Attributes = Partial<Record<(typeof attributeNames)[number], string | number>>;

const names: ReadonlySet<string> = new Set(attributeNames);
const longest = 200;

/** Returns the allowed attributes, short and with credentials redacted. */
export function allowedAttributes(given: Attributes): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(given))
    if (names.has(name)) kept[name] = typeof value === "string" ? redact(value).slice(0, longest) : value;
  return kept;
}

const hash = /^0x[0-9a-f]{64}$/;

/** Returns the attribute of a request hash, which is public. Other keys may name an account, and are left out. */
export const requestHashIn = (key: string): Attributes =>
  hash.test(key) ? { "countersign.request_hash": key } : {};
