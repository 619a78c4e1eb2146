// How a program without a key comes to one: it shows its user an address, they approve there, it fetches the key once.
import type { GetAuthConnectStatusResponse, PostAuthConnectInitiateResponse } from "./generated/api.ts";
import { makeHttp, type HttpOptions } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import { makePkce } from "./pkce.ts";
import { sleep } from "./retry.ts";
import type { Hex } from "./types.ts";

export type Connection = {
  /** Show it to your user: it opens the page where they approve. */
  readonly authUrl: string;
  /** The first four characters are on that page too, for your user to compare. */
  readonly code: string;
  /** Until they have approved. NotFoundError: the code has expired, or somebody else has used it. */
  readonly wait: (options?: {
    readonly signal?: AbortSignal;
    readonly everyMs?: number;
  }) => Promise<Connected>;
};

/** Exactly one answer holds the key. */
export type Connected = { readonly apiKey: string; readonly walletAddress: Hex };

export async function connect(
  options: Omit<HttpOptions, "credential"> & RequestOptions,
): Promise<Connection> {
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
      // The verifier goes where no log of addresses has it.
      const ask = { query: { code }, headers: { "x-connect-verifier": verifier }, signal };
      for (;;) {
        const { body: said } = await http<GetAuthConnectStatusResponse>("/auth/connect/status", ask);
        if (said.status === "ready") return { apiKey: said.apiKey, walletAddress: said.walletAddress as Hex };
        await sleep(everyMs, signal);
      }
    },
  };
}
