// What a program does with the main service. The parts are in files of their own.
import { makeConnections, type Connections } from "./connections.ts";
import { apiKeyCredential, sessionCredential, type Credential, type Session } from "./credential.ts";
import { CountersignError } from "./errors.ts";
import { makeEvents, type Events } from "./events.ts";
import { makeHttp, type Answer, type Ask, type HttpOptions } from "./http.ts";
import { makeKeys, type Keys } from "./keys.ts";
import type { RequestOptions } from "./options.ts";
import { makeSettings, type SettingsCalls } from "./settings.ts";
import { makeSignOut, type SignOut } from "./sign-out.ts";
import { makeTransactions, type Transactions } from "./transactions.ts";
import type { Report } from "./types.ts";
import { validate, type Validation } from "./validate.ts";
import { makeWhoAmI, type WhoAmI } from "./whoami.ts";

export type CountersignOptions = Omit<HttpOptions, "credential"> & {
  /** A program's key, or … */
  readonly apiKey?: string;
  /** … a person's session, as `signIn` returns it. It is renewed when it runs out. */
  readonly session?: Session;
  /** Called with each renewed session: the one before is worth nothing any more. */
  readonly onSession?: (session: Session) => void | Promise<void>;
  /** Where a validator is, for `validate`. */
  readonly validatorUrl?: string;
};

export type Countersign = Transactions &
  WhoAmI &
  SignOut &
  SettingsCalls & {
    readonly url: string;
    /** Asks the validator at `validatorUrl`, and records nothing. */
    readonly validate: (validation: Validation, options?: RequestOptions) => Promise<Report>;
    readonly keys: Keys;
    readonly connections: Connections;
    /** What happens to the account's transactions, as it happens. */
    readonly events: Events;
    /** Any other endpoint, with the same credential, retries and errors. */
    readonly request: <Body>(path: string, ask?: Ask) => Promise<Answer<Body>>;
  };

export function createCountersign(options: CountersignOptions): Countersign {
  const { url, fetch, retries, timeoutMs, validatorUrl } = options;
  const service = {
    url,
    ...(fetch === undefined ? {} : { fetch }),
    ...(retries === undefined ? {} : { retries }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const credential = credentialOf(options, service);
  const known = { ...service, ...(credential === undefined ? {} : { credential }) };
  const http = makeHttp(known);
  const identity = makeWhoAmI(http, credential);
  return {
    url,
    ...identity,
    ...makeTransactions(http, identity.address),
    ...makeSignOut(http, credential),
    ...makeSettings(http),
    keys: makeKeys(http),
    connections: makeConnections(http),
    events: makeEvents(known),
    request: http,
    validate: async (validation, asked = {}) => {
      if (validatorUrl === undefined)
        throw new CountersignError("validate asks a validator: say where it is, as validatorUrl");
      return validate(validation, { ...service, ...asked, url: validatorUrl });
    },
  };
}

function credentialOf(
  { apiKey, session, onSession }: CountersignOptions,
  service: HttpOptions,
): Credential | undefined {
  if (apiKey !== undefined && session !== undefined)
    throw new CountersignError("One credential, please: an API key or a session");
  if (apiKey !== undefined) return apiKeyCredential(apiKey);
  if (session === undefined) return undefined;
  const anonymous = makeHttp(service);
  const refresh = async (refreshToken: string): Promise<Session> =>
    (await anonymous<Session>("/auth/refresh", { method: "POST", body: { refreshToken } })).body;
  return sessionCredential({ session, refresh, ...(onSession === undefined ? {} : { onSession }) });
}
