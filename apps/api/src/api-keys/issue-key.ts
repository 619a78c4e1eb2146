import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import type { Account } from "../accounts/index.ts";
import { scopesOf, type ApiKey, type KeyLabel } from "./api-key.ts";
import { apiKeyErrors } from "./errors.ts";
import { makeKey, recognisable, type KeyEnvironment, type KeyType } from "./key-format.ts";
import { hmacOf, type Peppers } from "./peppers.ts";
import type { ApiKeyStore } from "./store.ts";

/** More than this suggests a leak or a mistake. */
const usableKeysAtMost = 25;

type Parts = {
  readonly store: ApiKeyStore;
  readonly peppers: Peppers;
  readonly environment: KeyEnvironment;
  readonly clock: Clock;
  readonly log: Log;
};

export type KeyRequest = {
  readonly account: Account | null;
  readonly type: KeyType;
  readonly label: KeyLabel;
  readonly name: string;
  readonly expiresAt: Date | null;
};

/** A key derived from given bytes instead of random ones, and how to store it together with other rows. */
type GivenKey = {
  readonly id: string;
  readonly secret: string;
  readonly add: ApiKeyStore["add"];
};

/** Creates a key. Only this answer contains its secret. */
export const makeIssueKey = ({ store, peppers, environment, clock, log }: Parts) =>
  async function issueKey(
    request: KeyRequest,
    given?: GivenKey,
  ): Promise<{ readonly apiKey: ApiKey; readonly secret: string }> {
    const { account, type, label, name, expiresAt } = request;
    if (expiresAt !== null && expiresAt <= clock.now()) throw apiKeyErrors.expiryPast();
    const { id, secret, add }: GivenKey = given ?? {
      id: newId(),
      secret: makeKey(type, environment),
      add: (...key) => store.add(...key),
    };
    const [pepper] = await peppers();
    const apiKey = await add(
      {
        id,
        account,
        type,
        label,
        name,
        expiresAt,
        scopes: scopesOf(type),
        ...recognisable(secret),
        hmac: hmacOf(secret, pepper),
        pepperId: pepper.id,
      },
      usableKeysAtMost,
    );
    if (apiKey === undefined) throw apiKeyErrors.tooMany();
    log.info("API key issued", { key: apiKey.id, reason: `${type} key, label ${label}` });
    return { apiKey, secret };
  };

export type IssueKey = ReturnType<typeof makeIssueKey>;
