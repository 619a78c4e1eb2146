import { EthereumAddress, type Account } from "../accounts/index.ts";

/** The parts of a received request that a signature covers. */
export type ReceivedRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: string;
  readonly ip: string;
};

/** A request that claims to be signed by an address. Well-formed, but not verified. */
export type PresentedRequest = {
  readonly account: Account;
  readonly signature: string;
  readonly chainId: number;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  /** The client's IP address, which the signature does not cover. */
  readonly ip: string;
  /** The client's own time and nonce. Without them the nonce is one that we issued. */
  readonly chosen: { readonly timestamp: number; readonly nonce: string } | undefined;
  /** The issued nonce, if the client names it. */
  readonly issued: string | undefined;
};

const defaultChainId = 11_155_111;
const maxSignatureBytes = 2 * 1024;

// One spelling per value, because the values become part of the text: no signs, no leading zeros.
const wholeBytes = /^0x(?:[0-9a-fA-F]{2})+$/;
const seconds = /^[1-9]\d{0,10}$/;
const chainNumber = /^[1-9]\d{0,14}$/;
const nonceForm = /^[A-Za-z0-9_-]{16,64}$/;
/** The allowed characters of a request target: no space, no line break. */
const targetForm = /^\/[\x21-\x7e]*$/;

type Headers = ReceivedRequest["headers"];

/** Returns the header if it has that form. Undefined also if it came twice. */
function read(headers: Headers, name: string, form: RegExp): string | undefined {
  const value = headers[name];
  return typeof value === "string" && form.test(value) ? value : undefined;
}

type Nonces = Pick<PresentedRequest, "chosen" | "issued">;

/**
 * With a timestamp, the nonce is one that the client chose. Returns undefined for malformed values, and for a
 * timestamp without a nonce.
 */
function readNonces(headers: Headers): Nonces | undefined {
  const { "x-ethereum-timestamp": time, "x-ethereum-nonce": sent } = headers;
  const nonce = read(headers, "x-ethereum-nonce", nonceForm);
  if (sent !== undefined && nonce === undefined) return undefined;
  if (time === undefined) return { chosen: undefined, issued: nonce };
  const timestamp = read(headers, "x-ethereum-timestamp", seconds);
  if (timestamp === undefined || nonce === undefined) return undefined;
  return { chosen: { timestamp: Number(timestamp), nonce }, issued: undefined };
}

function readSignature(headers: Headers): string | undefined {
  const { "x-ethereum-signature": signature } = headers;
  // The length first, so that no pattern runs on a text of arbitrary size.
  if (typeof signature !== "string" || signature.length > 2 + 2 * maxSignatureBytes) return undefined;
  return wholeBytes.test(signature) ? signature : undefined;
}

function readChainId(headers: Headers): number | undefined {
  if (headers["x-ethereum-chain-id"] === undefined) return defaultChainId;
  const chainId = read(headers, "x-ethereum-chain-id", chainNumber);
  return chainId === undefined ? undefined : Number(chainId);
}

/** A body that was sent but not read would not be covered by the signature: a GET with one, or a form. */
const hasUnreadBody = ({ headers, rawBody }: ReceivedRequest): boolean =>
  rawBody === "" &&
  (headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0");

/** Whether there is such a credential, valid or not. An incomplete one counts. */
export const isSigned = ({ headers }: Pick<ReceivedRequest, "headers">): boolean =>
  headers["x-ethereum-address"] !== undefined || headers["x-ethereum-signature"] !== undefined;

/** Returns undefined for what cannot be a signed request. Costs next to nothing. */
export function readRequest(received: ReceivedRequest): PresentedRequest | undefined {
  const { headers, method, target, rawBody, ip } = received;
  const address = EthereumAddress.safeParse(headers["x-ethereum-address"]);
  const signature = readSignature(headers);
  const chainId = readChainId(headers);
  const nonces = readNonces(headers);
  if (!address.success || signature === undefined || chainId === undefined || nonces === undefined)
    return undefined;
  if (!targetForm.test(target) || hasUnreadBody(received)) return undefined;
  // The body is exactly the text that is parsed, in UTF-8, so what was signed is what is acted upon.
  return { account: address.data, signature, chainId, method, target, body: rawBody, ip, ...nonces };
}
