// The client of the main service, composed of one file per area.
import { makeAgents, type Agents } from "./agents.ts";
import { makeChannels, type Channels } from "./channels.ts";
import { makeConnections, type Connections } from "./connections.ts";
import { makeContacts, type Contacts } from "./contacts.ts";
import { apiKeyCredential, sessionCredential, type Credential, type Session } from "./credential.ts";
import { makeDescriptions, type Descriptions } from "./describe.ts";
import { CountersignError } from "./errors.ts";
import { makeEvents, type Events } from "./events.ts";
import { makeExportData, type ExportData } from "./export.ts";
import { makeHttp, type Answer, type Ask, type ConnectionOptions, type HttpOptions } from "./http.ts";
import { makeKeys, type Keys } from "./keys.ts";
import { makeMandates, type Mandates } from "./mandates.ts";
import { makePolicies, type Policies } from "./policies.ts";
import type { RequestOptions } from "./options.ts";
import { makeSettings, type SettingsCalls } from "./settings.ts";
import { makeSignOut, type SignOut } from "./sign-out.ts";
import { makeTransactions, type Transactions } from "./transactions.ts";
import type { Report } from "./types.ts";
import { validate, type Validation } from "./validate.ts";
import { makeWebhooks, type Webhooks } from "./webhooks.ts";
import { makeWhoAmI, type WhoAmI } from "./whoami.ts";

/** Options of `createCountersign`. Pass `apiKey` or `session`, or neither for public endpoints. */
export type CountersignOptions = ConnectionOptions & {
  /** The API key of a program. Cannot be combined with `session`. */
  readonly apiKey?: string;
  /** An owner's session, as returned by `signIn`. The client refreshes it when it expires. */
  readonly session?: Session;
  /** Called with each refreshed session. Store it: the previous one is no longer valid. */
  readonly onSession?: (session: Session) => void | Promise<void>;
  /** The address of a validator. Required by `validate`. */
  readonly validatorUrl?: string;
};

/** A client for one installation and one credential, created by `createCountersign`. */
export type Countersign = Transactions &
  Descriptions &
  WhoAmI &
  SignOut &
  SettingsCalls & {
    readonly url: string;
    /** Calls the validator at `validatorUrl`. Records nothing. Throws a CountersignError without `validatorUrl`. */
    readonly validate: (validation: Validation, options?: RequestOptions) => Promise<Report>;
    readonly agents: Agents;
    readonly contacts: Contacts;
    readonly keys: Keys;
    readonly mandates: Mandates;
    readonly webhooks: Webhooks;
    readonly channels: Channels;
    readonly policies: Policies;
    readonly connections: Connections;
    /** Streams changes of the account's transactions. */
    readonly events: Events;
    /** Streams the owner's own data. */
    readonly exportData: ExportData;
    /** Calls any other endpoint with the same credential, retries and errors. */
    readonly request: <Body>(path: string, ask?: Ask) => Promise<Answer<Body>>;
  };

/**
 * Creates a client. Makes no request.
 *
 * @example
 * const countersign = createCountersign({ url: "https://countersign.example", apiKey });
 * const { requestHash } = await countersign.propose({ userPrompt, chainId: 1, tx: { to, value: 10n ** 16n } });
 * const { decision } = await countersign.waitForVerdict(requestHash);
 * @throws CountersignError if `url` is invalid, or both `apiKey` and `session` are set.
 */
export function createCountersign(options: CountersignOptions): Countersign {
  const { url, fetch, retries, timeoutMs, traceparent, validatorUrl } = options;
  const service = {
    url,
    ...(fetch === undefined ? {} : { fetch }),
    ...(retries === undefined ? {} : { retries }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  const credential = credentialOf(options, service);
  const known = { ...service, ...(credential === undefined ? {} : { credential }) };
  const http = makeHttp(known);
  const identity = makeWhoAmI(http, credential);
  return {
    url,
    ...identity,
    ...makeTransactions(http, identity.address),
    ...makeDescriptions(makeHttp(service)),
    ...makeSignOut(http, credential),
    ...makeSettings(http),
    agents: makeAgents(http),
    contacts: makeContacts(http),
    keys: makeKeys(http),
    mandates: makeMandates(http),
    webhooks: makeWebhooks(http),
    channels: makeChannels(http),
    policies: makePolicies(http),
    connections: makeConnections(http),
    events: makeEvents(known),
    exportData: makeExportData(known),
    request: http,
    validate: async (validation, asked = {}) => {
      if (validatorUrl === undefined)
        throw new CountersignError("validate needs the address of a validator: set validatorUrl");
      return validate(validation, { ...service, ...asked, url: validatorUrl });
    },
  };
}

function credentialOf(
  { apiKey, session, onSession }: CountersignOptions,
  service: HttpOptions,
): Credential | undefined {
  if (apiKey !== undefined && session !== undefined)
    throw new CountersignError("Set either apiKey or session, not both");
  if (apiKey !== undefined) return apiKeyCredential(apiKey);
  if (session === undefined) return undefined;
  const anonymous = makeHttp(service);
  const refresh = async (refreshToken: string): Promise<Session> =>
    (await anonymous<Session>("/auth/refresh", { method: "POST", body: { refreshToken } })).body;
  return sessionCredential({ session, refresh, ...(onSession === undefined ? {} : { onSession }) });
}
