// Connects to addresses that strangers supply, and only to those of the public internet.
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent } from "undici";
import { isPublicAddress } from "./is-public-address.ts";

type IsAllowed = (address: string) => boolean;
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export type PublicAgentOptions = {
  readonly connectMs: number;
  /** For tests and development, whose server is on this machine. */
  readonly isAllowed?: IsAllowed | undefined;
  readonly resolve?: Resolve | undefined;
  readonly certificate?: string | undefined;
};

/** Thrown before anything is sent. */
export class AddressNotPublicError extends Error {}

/**
 * Uses DNS queries only, because the machine's hosts file describes private names. Does not occupy one of the
 * process's few worker threads, so that a slow name server delays nothing else.
 */
export const askNameServers: Resolve = async (host) => {
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
const makeLookup = (isAllowed: IsAllowed, resolve: Resolve): LookupFunction => {
  const checkedLookup = async (host: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(host);
    if (first === undefined || ![first, ...others].every(({ address }) => isAllowed(address)))
      throw new AddressNotPublicError("the name has no public address");
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

/** An IP address is not resolved, so it is checked before the request. Throws an AddressNotPublicError. */
export function checkHost({ hostname }: URL, isAllowed: IsAllowed = isPublicAddress): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isAllowed(host)) throw new AddressNotPublicError("the address is not public");
}

/** Makes an agent whose sockets connect to allowed addresses only. Call `checkHost` before each request. */
export const makePublicAgent = ({
  connectMs,
  isAllowed = isPublicAddress,
  resolve = askNameServers,
  certificate,
}: PublicAgentOptions): Agent =>
  new Agent({
    connect: {
      timeout: connectMs,
      lookup: makeLookup(isAllowed, resolve),
      ...(certificate === undefined ? {} : { ca: certificate }),
    },
    // One request per connection.
    pipelining: 0,
  });
