// Metadata documents of OAuth clients, from addresses that strangers name. Whatever they name, we ask nobody inside.
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, request } from "undici";
import { readAtMost } from "../read-at-most.ts";
import { isPublicAddress } from "./is-public-address.ts";

export type ReadClientDocument = (address: string) => Promise<{
  readonly document: unknown;
  /** Empty if its server did not say. */
  readonly cacheControl: string;
}>;

type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

type Options = {
  readonly connectMs?: number;
  readonly totalMs?: number;
  /** For tests, which have a server on this machine only. */
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: Resolve;
  readonly certificate?: string;
};

const longest = 10 * 1024;
const json = /^application\/(?:[a-z0-9.-]+\+)?json *(?:;|$)/i;

/**
 * By questions to the name servers alone: what the machine's own files say about names is about inside. It waits without one
 * of the few threads that the whole process has, so that a slow name server holds up nobody else.
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
 * The addresses of a name, if each of them may be asked. The socket asks for them here, so what is judged is what is connected
 * to: a name that answers otherwise the second time gains nothing.
 */
const makeLookup = (isAllowed: (address: string) => boolean, resolve: Resolve): LookupFunction => {
  const judged = async (host: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(host);
    if (first === undefined || ![first, ...others].every(({ address }) => isAllowed(address)))
      throw new Error("the name is of no public address");
    return [first, ...others];
  };
  return (host, { all = false }, done) => {
    judged(host).then(
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

/** A header that was sent twice says nothing. */
const textOf = (header: string | string[] | undefined): string => (typeof header === "string" ? header : "");

function checkAddress(address: string, isAllowed: (address: string) => boolean): void {
  const { protocol, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "https:") throw new Error("the address of a document is not https");
  // A number is not looked up, so it is judged here.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new Error("the address is no public one");
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
    // One question each, and no connection is kept for another.
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
      // A redirect is an answer like any other that is not the document.
      if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
      if (!json.test(textOf(headers["content-type"]))) throw new Error("the document is not JSON");
      const document = JSON.parse(await readText(body)) as unknown;
      return { document, cacheControl: textOf(headers["cache-control"]) };
    } finally {
      // What was not read is not waited for. That is an error of the stream, which unheard would end the process.
      body.on("error", () => undefined).destroy();
    }
  };
}
