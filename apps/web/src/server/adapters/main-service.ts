// Calls to the main service that issue or revoke tokens.
import { requestErrors } from "@countersign/platform/errors";
import { z } from "zod";
import { webErrors } from "../errors.ts";
import { TokenPair } from "../tokens.ts";

/** The caller's address, for the main service's rate limits and logs. */
export type Caller = {
  readonly ip: string;
  readonly requestId: string;
  readonly userAgent: string | undefined;
};

const User = z.object({ ethereumAddress: z.string() });
const SignedIn = TokenPair.extend({ user: User });
const Refusal = z.object({ statusCode: z.number(), message: z.string(), error: z.string() });

/** The main service's error response. */
type Refused = {
  readonly status: number;
  readonly body: z.infer<typeof Refusal>;
  readonly code: string;
};

export type MainService = {
  readonly signIn: (
    body: string,
    caller: Caller,
  ) => Promise<{ readonly pair: TokenPair; readonly address: string } | Refused>;
  /** Returns undefined if it is refused. */
  readonly refresh: (refreshToken: string, caller: Caller) => Promise<TokenPair | undefined>;
  /** Returns undefined if the token is invalid. */
  readonly whoIs: (accessToken: string, caller: Caller) => Promise<{ readonly address: string } | undefined>;
  readonly signOut: (pair: TokenPair, caller: Caller) => Promise<void>;
  readonly signOutEverywhere: (pair: TokenPair, caller: Caller) => Promise<void>;
  /** Throws unless it answers. */
  readonly probe: () => Promise<void>;
};

const patienceMs = 15_000;

type Call = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly accessToken?: string;
};

const headersOf = (
  { body, accessToken }: Call,
  { ip, requestId, userAgent }: Caller,
): Record<string, string> => ({
  "x-forwarded-for": ip,
  "x-request-id": requestId,
  ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
});

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Treats a missing or malformed response as an outage of the main service. */
function read<T>({ text }: Answer, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw webErrors.apiUnavailable({ cause: error });
  }
}

function checkStatus({ status, headers }: Answer, expected: readonly number[]): void {
  if (expected.includes(status)) return;
  const retryAfter = headers.get("retry-after");
  if (status === 429)
    throw requestErrors.tooMany(retryAfter === null ? {} : { headers: { "Retry-After": retryAfter } });
  throw webErrors.apiUnavailable({ details: { status } });
}

type Ask = (call: Call, caller: Caller) => Promise<Answer>;

const makeAsk =
  (apiUrl: string): Ask =>
  async (call, caller) => {
    try {
      const response = await fetch(`${apiUrl}${call.path}`, {
        method: call.method,
        headers: headersOf(call, caller),
        ...(call.body === undefined ? {} : { body: call.body }),
        redirect: "error",
        signal: AbortSignal.timeout(patienceMs),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      throw webErrors.apiUnavailable({ cause: error });
    }
  };

export function makeMainService({ apiUrl }: { readonly apiUrl: string }): MainService {
  const ask = makeAsk(apiUrl);

  const end = async (call: Call, caller: Caller): Promise<void> => {
    // Refused because it had already ended.
    checkStatus(await ask(call, caller), [204, 401]);
  };

  return {
    signIn: async (body, caller) => {
      const answer = await ask({ method: "POST", path: "/auth/siwe/verify", body }, caller);
      if (answer.status === 200) {
        const { user, accessToken, refreshToken } = read(answer, SignedIn);
        return { pair: { accessToken, refreshToken }, address: user.ethereumAddress };
      }
      const code = answer.headers.get("x-error-code") ?? "";
      return { status: answer.status, body: read(answer, Refusal), code };
    },
    refresh: async (refreshToken, caller) => {
      const call: Call = { method: "POST", path: "/auth/refresh", body: JSON.stringify({ refreshToken }) };
      const answer = await ask(call, caller);
      checkStatus(answer, [200, 400, 401]);
      return answer.status === 200 ? read(answer, TokenPair) : undefined;
    },
    whoIs: async (accessToken, caller) => {
      const answer = await ask({ method: "GET", path: "/auth/me", accessToken }, caller);
      checkStatus(answer, [200, 401]);
      return answer.status === 200 ? { address: read(answer, User).ethereumAddress } : undefined;
    },
    signOut: ({ accessToken, refreshToken }, caller) =>
      end(
        { method: "POST", path: "/auth/logout", accessToken, body: JSON.stringify({ refreshToken }) },
        caller,
      ),
    signOutEverywhere: ({ accessToken }, caller) =>
      end({ method: "POST", path: "/auth/logout-all", accessToken }, caller),
    probe: async () => {
      const answer = await ask(
        { method: "GET", path: "/health" },
        { ip: "127.0.0.1", requestId: "web-probe", userAgent: undefined },
      );
      checkStatus(answer, [200]);
    },
  };
}
