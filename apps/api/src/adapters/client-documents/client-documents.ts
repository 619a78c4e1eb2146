// Fetches metadata documents of OAuth clients from URLs that strangers supply, without ever contacting a private
// address.
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, request } from "undici";
import { readAtMost } from "../read-at-most.ts";
import { isPublicAddress } from "./is-public-address.ts";

export type ReadClientDocument = (address: string) => Promise<{
  readonly document: unknown;
  /** Empty if the server sent none. */
  readonly cacheControl: string;
}>;

type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

type Options = {
  readonly connectMs?: number;
  readonly totalMs?: number;
  /** For tests, whose server is on this machine. */
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: Resolve;
  readonly certificate?: string;
};

const longest = 10 * 1024;
const json = /^application\/(?:[a-z0-9.-]+\+)?json *(?:;|$)/i;

/**
 * Uses DNS queries only, because the machine's hosts file describes private names. Does not occupy one of the
 * process's few worker threads, so that a slow name server delays nothing else.
 */
const askNameServers: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((answer, index) =>
    answer.status === "rejected"
      ? []
      : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  );
};

/**
 * Returns the addresses of a name if all of them are allowed. The socket itself resolves through this
 * function, so the checked address is the connected one and DNS rebinding has no effect.
 */
const makeLookup = (isAllowed: (address: string) => boolean, resolve: Resolve): LookupFunction => {
  const checkedLookup = async (host: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(host);
    if (first === undefined || ![first, ...others].every(({ address }) => isAllowed(address)))
      throw new Error("the name has no public address");
    return [first, ...others];
  };
  return (host, { all = false }, done) => {
    checkedLookup(host).then(
      (addresses) => {
        if (all) done(null, addresses);
        else done(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => {
        done(error as Error, "");
      },
    );
  };
};

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const bytes = await readAtMost(body, longest);
  if (bytes === undefined) throw new Error(`the document is longer than ${longest} bytes`);
  return bytes.toString("utf8");
}

/** A repeated header is ignored. */
const textOf = (header: string | string[] | undefined): string => (typeof header === "string" ? header : "");

function checkAddress(address: string, isAllowed: (address: string) => boolean): void {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "https:") throw new Error("the URL of the document is not https");
  // An IP address is not resolved, so it is checked here.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new Error("the address is not public");
}

export function makeReadClientDocument({
  connectMs = 3000,
  totalMs = 5000,
  isAllowed = isPublicAddress,
  resolve = askNameServers,
  certificate,
}: Options = {}): ReadClientDocument {
  const agent = new Agent({
    connect: {
      timeout: connectMs,
      lookup: makeLookup(isAllowed, resolve),
      ...(certificate === undefined ? {} : { ca: certificate }),
    },
    // One request per connection.
    pipelining: 0,
  });
  return async (address) => {
    checkAddress(address, isAllowed);
    const { statusCode, headers, body } = await request(address, {
      dispatcher: agent,
      signal: AbortSignal.timeout(totalMs),
      headers: { accept: "application/json" },
    });
    try {
      // A redirect counts as any other answer that is not the document.
      if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
      if (!json.test(textOf(headers["content-type"]))) throw new Error("the document is not JSON");
      const document = JSON.parse(await readText(body)) as unknown;
      return { document, cacheControl: textOf(headers["cache-control"]) };
    } finally {
      // Destroying the unread body emits an error, which would end the process if unhandled.
      body.on("error", () => undefined).destroy();
    }
  };
}
