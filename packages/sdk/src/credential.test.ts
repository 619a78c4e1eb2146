import { describe, expect, test } from "vitest";
import { createCountersign } from "./client.ts";
import type { Session } from "./credential.ts";
import { AuthenticationError, ConnectionError } from "./errors.ts";
import { aServer, breaksOff, says, type Handler, type Received } from "../test/server.ts";

const first = { accessToken: "access-1", refreshToken: "refresh-1" };
const second = { accessToken: "access-2", refreshToken: "refresh-2" };

const refused = says(401, { message: "Unauthorized" });

/** Takes the second access token, and gives it for the first refresh token, once. */
function aService(refreshing?: Handler) {
  let renewals = 0;
  const answerTo = ({ path, body, headers }: Received): Handler => {
    if (path !== "/auth/refresh")
      return headers.authorization === "Bearer access-2"
        ? says(200, { id: "u", ethereumAddress: "0xabc" })
        : refused;
    renewals += 1;
    return refreshing ?? (renewals === 1 && body.includes("refresh-1") ? says(200, second) : refused);
  };
  const step: Handler = (received, response) => answerTo(received)(received, response);
  return { step, renewals: () => renewals };
}

describe("a session that has run out", () => {
  test("is renewed once, for all that were refused at the same time and those that come after", async () => {
    const { step, renewals } = aService();
    await using server = await aServer(step);
    const kept: Session[] = [];
    const countersign = createCountersign({
      url: server.url,
      session: first,
      onSession: (session) => void kept.push(session),
    });
    await Promise.all(Array.from({ length: 8 }, () => countersign.whoami()));
    await countersign.whoami();
    expect(renewals()).toBe(1);
    expect(kept).toEqual([second]);
  });

  test("and cannot be renewed is what it was: not let in", async () => {
    await using server = await aServer(aService(says(401, { message: "no" })).step);
    const asked = createCountersign({ url: server.url, session: first }).whoami();
    await expect(asked).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.received.map(({ path }) => path)).toEqual(["/auth/me", "/auth/refresh"]);
  });

  test("and was not answered about is no sign that it is over", async () => {
    await using server = await aServer(aService(breaksOff).step);
    const asked = createCountersign({ url: server.url, session: first }).whoami();
    await expect(asked).rejects.toBeInstanceOf(ConnectionError);
    // The token is good once: whether it was used is not known.
    expect(server.received.filter(({ path }) => path === "/auth/refresh")).toHaveLength(1);
  });

  test("is renewed for the others, when one of them does not wait any more", async () => {
    const { step, renewals } = aService();
    await using server = await aServer(step);
    const countersign = createCountersign({ url: server.url, session: first });
    const controller = new AbortController();
    const gone = countersign.whoami({ signal: controller.signal }).catch((error: unknown) => error);
    const stays = countersign.whoami();
    controller.abort(new Error("gone"));
    expect(await gone).toMatchObject({ message: "gone" });
    expect((await stays).address).toBe("0xabc");
    expect(renewals()).toBe(1);
  });
});

test("a key that is refused is refused once", async () => {
  await using server = await aServer(says(401, { message: "Unauthorized" }));
  await expect(createCountersign({ url: server.url, apiKey: "key" }).whoami()).rejects.toBeInstanceOf(
    AuthenticationError,
  );
  expect(server.received).toHaveLength(1);
});

test.each(["", "key\n", " key", "kéy"])("what cannot be a key is said to be none: %j", (apiKey) => {
  expect(() => createCountersign({ url: "http://127.0.0.1:1", apiKey })).toThrow("This is no API key");
});

test("two credentials are one too many", () => {
  expect(() => createCountersign({ url: "http://127.0.0.1:1", apiKey: "key", session: first })).toThrow(
    "One credential",
  );
});
