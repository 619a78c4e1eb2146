import { ConfigError, list, text, webAddress } from "../config/index.ts";
import { makeIpfs, type Ipfs } from "./ipfs.ts";

/** Where blocks are stored and read, to be spread into an app's schema. The return type is left to inference. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- see above
export const ipfsSettings = () => ({
  IPFS_URL: webAddress().prefault("http://127.0.0.1:18088").meta({
    inProduction: "required",
    description:
      "The IPFS gateway that blocks are read from; everything it returns is hashed again. Without IPFS_RPC_URL blocks are stored there, too. For Kubo on this machine use 127.0.0.1: it redirects localhost, and redirects are refused.",
  }),
  IPFS_RPC_URL: webAddress()
    .optional()
    .describe("Kubo's RPC API, such as http://127.0.0.1:5001. Blocks are then stored and pinned through it."),
  IPFS_RPC_TOKEN: text().min(1).optional().meta({
    secret: true,
    description: "The bearer token of Kubo's API.Authorizations, if it asks for one.",
  }),
  PINNING_URL: webAddress()
    .optional()
    .describe(
      "A service with the IPFS Pinning Service API that keeps a second copy of every block: the address before /pins. Needs PINNING_TOKEN.",
    ),
  PINNING_TOKEN: text()
    .min(1)
    .optional()
    .meta({ secret: true, description: "The access token of that pinning service." }),
  PINNING_ORIGINS: list()
    .refine((origins) => origins.every((origin) => origin.startsWith("/")), "must each be a multiaddress")
    .prefault("")
    .describe(
      "Multiaddresses under which the pinning service reaches the node that stores the blocks, separated by commas.",
    ),
});

type IpfsSettings = {
  readonly IPFS_URL: string;
  readonly IPFS_RPC_URL?: string | undefined;
  readonly IPFS_RPC_TOKEN?: string | undefined;
  readonly PINNING_URL?: string | undefined;
  readonly PINNING_TOKEN?: string | undefined;
  readonly PINNING_ORIGINS: readonly string[];
};

/** Throws a `ConfigError` for half a pinning service. */
export function connectIpfs(settings: IpfsSettings): Ipfs {
  const {
    IPFS_URL: url,
    IPFS_RPC_URL,
    IPFS_RPC_TOKEN,
    PINNING_URL,
    PINNING_TOKEN,
    PINNING_ORIGINS,
  } = settings;
  if (PINNING_URL !== undefined && PINNING_TOKEN === undefined)
    throw new ConfigError(["PINNING_TOKEN is required with PINNING_URL and not set"]);
  return makeIpfs({
    url,
    rpc: IPFS_RPC_URL === undefined ? undefined : { url: IPFS_RPC_URL, token: IPFS_RPC_TOKEN },
    pinning:
      PINNING_URL === undefined || PINNING_TOKEN === undefined
        ? undefined
        : { url: PINNING_URL, token: PINNING_TOKEN, origins: PINNING_ORIGINS },
  });
}
