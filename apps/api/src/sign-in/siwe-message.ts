/**
 * ERC-4361 messages, parsed strictly: the whole text must match. A lenient parser would accept an appended
 * second statement that the wallet showed and the service ignored.
 */
export type SiweMessage = {
  readonly scheme: string | undefined;
  readonly domain: string;
  readonly address: `0x${string}`;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expirationTime: Date | undefined;
  readonly notBefore: Date | undefined;
};

const time = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})";

// One line per line of the standard's grammar. Statement and resources may contain anything printable except a line
// feed.
const form = new RegExp(
  [
    "^(?:(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://)?(?<domain>[^\\s/?#@]+) wants you to sign in with your Ethereum account:\\n",
    "(?<address>0x[0-9a-fA-F]{40})\\n\\n",
    "(?:[^\\n\\r]+\\n)?\\n",
    "URI: (?<uri>[^\\s]+)\\n",
    "Version: 1\\n",
    "Chain ID: (?<chainId>[1-9]\\d{0,14})\\n",
    "Nonce: (?<nonce>[a-zA-Z0-9]{8,128})\\n",
    `Issued At: (?<issuedAt>${time})`,
    `(?:\\nExpiration Time: (?<expirationTime>${time}))?`,
    `(?:\\nNot Before: (?<notBefore>${time}))?`,
    "(?:\\nRequest ID: [^\\n\\r]*)?",
    "(?:\\nResources:(?:\\n- [^\\s]+)*)?$",
  ].join(""),
);

/** The groups of a match. Only those of optional parts can be missing. */
type Groups = Readonly<Record<"domain" | "uri" | "chainId" | "nonce" | "issuedAt", string>> &
  Readonly<Partial<Record<"scheme" | "expirationTime" | "notBefore", string>>> & {
    readonly address: `0x${string}`;
  };

const longest = 8192;

const readTime = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
const isReal = (date: Date | undefined): boolean => date === undefined || !Number.isNaN(date.getTime());

/** Returns undefined if the text is not such a message. */
export function readSiweMessage(text: string): SiweMessage | undefined {
  if (text.length > longest) return undefined;
  const found = form.exec(text)?.groups as Groups | undefined;
  if (found === undefined) return undefined;
  const { scheme, domain, address, uri, chainId, nonce } = found;
  const issuedAt = new Date(found.issuedAt);
  const expirationTime = readTime(found.expirationTime);
  const notBefore = readTime(found.notBefore);
  if (![issuedAt, expirationTime, notBefore].every(isReal)) return undefined;
  return {
    scheme,
    domain,
    address: address.toLowerCase() as `0x${string}`,
    uri,
    chainId: Number(chainId),
    nonce,
    issuedAt,
    expirationTime,
    notBefore,
  };
}
