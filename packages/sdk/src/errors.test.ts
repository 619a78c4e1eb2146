import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createCountersign } from "./client.ts";
import { connect } from "./connect.ts";
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CountersignError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  WaitTimeoutError,
} from "./errors.ts";
import { refreshOAuth, revokeOAuth } from "./oauth.ts";
import { aServer, breaksOff, hangs, says, saysHalf, type Handler } from "../test/server.ts";

const canary = "canary-in-a-coal-mine";
const tokens = { accessToken: `${canary}-access`, refreshToken: `${canary}-refresh` };

const everythingIn = (error: unknown): string =>
  [
    inspect(error, { depth: 10, showHidden: true }),
    JSON.stringify(error),
    String(error),
    (error as Error).stack,
  ].join();

/** What a careless proxy might do: it repeats all that it was sent. */
const repeats =
  (status: number): Handler =>
  (received, response) => {
    const { headers, query, body } = received;
    const said = { message: `${status}: ${JSON.stringify([headers, query, body])}`, headers, query, body };
    return says(status, said, { "retry-after": "3600" })(received, response);
  };

/** What it threw. */
const failureOf = (work: (() => Promise<unknown>) | undefined): Promise<unknown> | undefined =>
  work?.().catch((caught: unknown) => caught);

/** Every way in which something secret is sent. */
const callsAt = (url: string, timeoutMs = 30_000): Readonly<Record<string, () => Promise<unknown>>> => {
  const at = { url, retries: 0, timeoutMs };
  const client = { client_id: "client", redirect_uris: [] };
  const owner = createCountersign({ ...at, session: tokens });
  return {
    "a key": () => createCountersign({ ...at, apiKey: canary }).whoami(),
    "a session": () => owner.whoami(),
    "a key, for events": async () => {
      for await (const event of createCountersign({ ...at, apiKey: canary }).events()) return event;
      return undefined;
    },
    "a connection code in the query": () => owner.connections.info(canary),
    "a connection code in the body": () => owner.connections.approve(canary),
    "a code in a path of one's own": () => owner.request(`/auth/connect/info?code=${canary}`),
    "a refresh token of OAuth": () => refreshOAuth({ ...at, client, refreshToken: canary }),
    "a token to give back": () => revokeOAuth({ ...at, client, token: canary }),
  };
};

describe.each(Object.keys(callsAt("http://127.0.0.1:1")))("with %s", (name) => {
  test.each([400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 503])(
    "a %i says nothing secret, whatever was answered",
    async (status) => {
      await using server = await aServer(repeats(status));
      const error: unknown = await failureOf(callsAt(server.url)[name]);
      expect(error).toBeInstanceOf(ApiError);
      expect(everythingIn(error)).not.toContain(canary);
    },
  );

  test.each([
    ["no answer", breaksOff],
    ["half an answer", saysHalf],
    ["an answer that never comes", hangs],
    ["a way elsewhere", says(302, "", { location: `http://127.0.0.1:1/?code=${canary}` })],
  ])("neither does %s", async (_trouble, step) => {
    await using server = await aServer(step);
    const error: unknown = await failureOf(callsAt(server.url, 500)[name]);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(everythingIn(error)).not.toContain(canary);
  });
});

test("neither does what is refused before it is sent", async () => {
  const errors: unknown[] = [];
  const note = (work: () => unknown) =>
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => errors.push(error));
  const url = "http://127.0.0.1:1";
  await note(() => createCountersign({ url, apiKey: `${canary}\n` }));
  await note(() => createCountersign({ url: `http://me:${canary}@127.0.0.1` }));
  await note(() => createCountersign({ url: `${url}/?key=${canary}` }));
  await note(() =>
    createCountersign({ url, session: { ...tokens, accessToken: `${canary}\n${canary}` } }).whoami(),
  );
  await note(() =>
    createCountersign({ url }).request("/x", { headers: { "x-api-key": `${canary}\n${canary}` } }),
  );
  await note(() => createCountersign({ url }).request(`https://elsewhere.example/${canary}`));
  await note(() => connect({ url: canary }));
  expect(errors).toHaveLength(7);
  for (const error of errors) {
    expect(error).toBeInstanceOf(CountersignError);
    expect(everythingIn(error)).not.toContain(canary);
  }
});

test.each([
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, NotFoundError],
  [418, ApiError],
  [422, InvalidRequestError],
  [429, RateLimitError],
  [500, ServiceError],
  [503, ServiceError],
])("a %i is its own kind of error, and knows its name", async (status, Class) => {
  await using server = await aServer(says(status, ""));
  const error: unknown = await createCountersign({ url: server.url, retries: 0 })
    .request("/things?code=1", { method: "POST" })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(CountersignError);
  expect(error).toMatchObject({
    constructor: Class,
    name: Class.name,
    message: `${server.url} answers POST /things with ${status}`,
    path: "/things",
  });
});

test("what was waited for in vain is an error that holds what was seen", () => {
  expect(new WaitTimeoutError("still", undefined)).toMatchObject({
    name: "WaitTimeoutError",
    transaction: undefined,
  });
});
