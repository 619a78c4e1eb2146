import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@countersign/tools/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { aWallet, bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { exceedLimit } from "../../test/test-api.ts";

let api: TestApiWithKeys;
let origin: string;
beforeAll(async () => {
  api = await aTestApiWithKeys();
  origin = api.origin;
});
afterAll(() => api.close());

const propose = async (who: SignedIn): Promise<string> => {
  const escrowAddress = who.user.ethereumAddress;
  const payload = {
    escrowAddress,
    userPrompt: "Send nothing to me",
    tx: { to: escrowAddress, value: "0", data: "0x" },
  };
  const answer = await api.http.send({ method: "POST", url: "/transactions", payload, headers: bearer(who) });
  return answer.json<{ requestHash: string }>().requestHash;
};
const withdraw = (who: SignedIn, hash: string) =>
  api.http.send({ method: "POST", url: `/transactions/${hash}/withdraw`, headers: bearer(who) });

type Event = { readonly id: string; readonly data: { readonly requestHash: string; readonly event: string } };

/** Listens from the moment this returns. The returned function reads a number of events, then disconnects. */
async function listen(
  who: SignedIn,
  lastEventId?: string,
): Promise<(count: number) => Promise<readonly Event[]>> {
  const leaving = new AbortController();
  const response = await fetch(`${origin}/events`, {
    headers: { ...bearer(who), ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) },
    signal: leaving.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return async (count) => {
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.split("event: transaction").length > count) break;
    }
    leaving.abort();
    return eventsIn(text);
  };
}

const eventsIn = (text: string): readonly Event[] =>
  [...text.matchAll(/id: (.+)\nevent: transaction\ndata: (.+)\n/g)].map(([, id = "", data = ""]) => ({
    id,
    data: JSON.parse(data) as Event["data"],
  }));

describe("GET /events", () => {
  test("200: streams changes of the owner's transactions as they happen, and no other account's", async () => {
    const owner = await signIn(api);
    const hear = await listen(owner);
    await propose(await signIn(api));
    const hash = await propose(owner);
    await withdraw(owner, hash);
    expect((await hear(2)).map(({ data }) => [data.requestHash, data.event])).toEqual([
      [hash, "propose"],
      [hash, "withdraw"],
    ]);
  });
  test("200: resumes after the last event received, without gaps or repetition", async () => {
    const owner = await signIn(api);
    const hear = await listen(owner);
    const hash = await propose(owner);
    const [heard] = await hear(1);
    await withdraw(owner, hash);
    const later = await propose(owner);
    const rest = await (await listen(owner, heard?.id))(2);
    expect(rest.map(({ data }) => [data.requestHash, data.event])).toEqual([
      [hash, "withdraw"],
      [later, "propose"],
    ]);
  });
  // Concurrent, because these tests mostly wait.
  describe.concurrent("ends within seconds", () => {
    const opened: IncomingMessage[] = [];
    afterAll(() => {
      for (const answer of opened) answer.destroy();
    });
    /** Resolves once the stream is open. `text` resolves when it has ended. */
    const follow = async (headers: Record<string, string>): Promise<{ readonly text: Promise<string> }> => {
      const [answer] = (await once(get(`${origin}/events`, { headers, agent: false }), "response")) as [
        IncomingMessage,
      ];
      expect(answer.statusCode).toBe(200);
      opened.push(answer);
      const text = textOf(answer);
      text.catch(() => undefined);
      return { text };
    };
    const isOpenFor = ({ text }: { readonly text: Promise<string> }, ms: number) =>
      Promise.race([text.then(() => false), sleep(ms).then(() => true)]);
    const post = (url: string, headers: Record<string, string>, payload: object = {}) =>
      api.http.send({ method: "POST", url, headers, payload });

    test("200: after a logout, and leaves another session of the same account open", async () => {
      const wallet = aWallet();
      const [phone, laptop] = [await signIn(api, wallet), await signIn(api, wallet)];
      const [ended, other] = [await follow(bearer(phone)), await follow(bearer(laptop))];
      expect(await isOpenFor(ended, 2_500)).toBe(true);
      await post("/auth/logout", bearer(phone), { refreshToken: phone.refreshToken });
      expect(await isOpenFor(ended, 5_000)).toBe(false);
      expect(await isOpenFor(other, 100)).toBe(true);
      await post("/auth/logout-all", bearer(laptop));
      expect(await isOpenFor(other, 5_000)).toBe(false);
      expect((await api.http.send({ url: "/events", headers: bearer(laptop) })).statusCode).toBe(401);
    });
    test("200: after its key is revoked or expires", async () => {
      const owner = await signIn(api);
      const account = owner.user.ethereumAddress.toLowerCase() as `0x${string}`;
      const [revoked, kept] = [
        await api.issueKey({ account, type: "user" }),
        await api.issueKey({ account, type: "user" }),
      ];
      const first = await follow({ "x-api-key": revoked.secret });
      const third = await follow({ "x-api-key": kept.secret });
      // Opened right after the key is issued, so that it does not expire before.
      const expiresAt = new Date(Date.now() + 3_000);
      const expiring = await api.issueKey({ account, type: "user", expiresAt });
      const second = await follow({ "x-api-key": expiring.secret });
      await api.http.send({
        method: "DELETE",
        url: `/user-api-keys/${revoked.id}`,
        headers: bearer(owner),
      });
      expect(await isOpenFor(first, 5_000)).toBe(false);
      expect(await isOpenFor(second, 8_000)).toBe(false);
      expect(await isOpenFor(third, 100)).toBe(true);
    });
    test("200: without any event from afterwards", async () => {
      const owner = await signIn(api);
      const account = owner.user.ethereumAddress.toLowerCase() as `0x${string}`;
      const { id, secret } = await api.issueKey({ account, type: "user" });
      const ended = await follow({ "x-api-key": secret });
      await api.http.send({ method: "DELETE", url: `/user-api-keys/${id}`, headers: bearer(owner) });
      await sleep(4_000);
      const hash = await propose(owner);
      expect(await ended.text).not.toContain(hash);
    });
  });

  test("429: one stream more than an account may have; another account's opens", async () => {
    const narrow = await aTestApiWithKeys({ EVENT_STREAMS_PER_ACCOUNT: "2" });
    try {
      const [owner, other] = [await signIn(narrow), await signIn(narrow)];
      const leaving = new AbortController();
      const open = (who: SignedIn) =>
        fetch(`${narrow.origin}/events`, { headers: bearer(who), signal: leaving.signal });
      expect([(await open(owner)).status, (await open(owner)).status]).toEqual([200, 200]);
      const ask = () => narrow.http.send({ url: "/events", headers: bearer(owner) });
      const third = await ask();
      expect([third.statusCode, third.headers["retry-after"]]).toEqual([429, "30"]);
      expect(third.headers["x-error-code"]).toBe("events.too-many-streams");
      expect((await open(other)).status).toBe(200);
      leaving.abort();
      await waitUntil("the places are free again", async () => (await ask()).statusCode === 200);
    } finally {
      await narrow.close();
    }
  });

  test.each(["x", "1", "1-", "-1-2", "1-2-3", `${"9".repeat(30)}-1`])("400: from %j", async (cursor) => {
    const headers = { ...bearer(await signIn(api)), "last-event-id": cursor };
    expect((await api.http.send({ url: "/events", headers })).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await api.http.send("/events")).statusCode).toBe(401);
  });
  test("403: with a server key, which has no account", async () => {
    const headers = { "x-api-key": await api.issueServerKey("admin") };
    expect((await api.http.send({ url: "/events", headers })).statusCode).toBe(403);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/events" })).toBe(429);
  });
});
