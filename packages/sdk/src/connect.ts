// Gets a key for a program: the program shows its user an address, the user approves there, the program fetches the key once.
import type { GetAuthConnectStatusResponse, PostAuthConnectInitiateResponse } from "./generated/api.ts";
import { makeHttp, type ConnectionOptions } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import { makePkce } from "./pkce.ts";
import { sleep } from "./retry.ts";
import type { Hex } from "./types.ts";

/** A pending connection, created by `connect`. */
export type Connection = {
  /** Show this to your user. It opens the page where they approve. */
  readonly authUrl: string;
  /** Show the first four characters to your user, so that they can compare them with the page. */
  readonly code: string;
  /**
   * Waits for the approval and polls every `everyMs` milliseconds (default: 3,000). Rejects with a NotFoundError if the
   * code expired or was already used.
   */
  readonly wait: (options?: {
    readonly signal?: AbortSignal;
    readonly everyMs?: number;
  }) => Promise<Connected>;
};

/** The key of an approved connection. The service returns it once. */
export type Connected = { readonly apiKey: string; readonly walletAddress: Hex };

/**
 * Starts a connection. The code is valid for ten minutes.
 *
 * @example
 * const { authUrl, code, wait } = await connect({ url });
 * console.log(`Open ${authUrl} and compare ${code.slice(0, 4)}`);
 * const { apiKey } = await wait();
 */
export async function connect(options: ConnectionOptions & RequestOptions): Promise<Connection> {
  const http = makeHttp(options);
  const { verifier, challenge } = await makePkce();
  const { body } = await http<PostAuthConnectInitiateResponse>("/auth/connect/initiate", {
    ...{ method: "POST", signal: options.signal },
    body: { codeChallenge: challenge },
  });
  const { code, authUrl } = body;
  return {
    ...{ code, authUrl },
    wait: async ({ signal, everyMs = 3_000 } = {}) => {
      // The verifier goes into a header because access logs contain URLs.
      const ask = { query: { code }, headers: { "x-connect-verifier": verifier }, signal };
      for (;;) {
        const { body: said } = await http<GetAuthConnectStatusResponse>("/auth/connect/status", ask);
        if (said.status === "ready") return { apiKey: said.apiKey, walletAddress: said.walletAddress as Hex };
        await sleep(everyMs, signal);
      }
    },
  };
}
