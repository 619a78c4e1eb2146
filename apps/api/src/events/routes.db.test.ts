import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApiWithKeys, type TestApiWithKeys } from "../api-keys/testing.ts";
import { bearer, signIn, type SignedIn } from "../sign-in/testing.ts";
import { exceedLimit } from "../testing.ts";

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

/** Listens from when this returns. What it returns reads so many events, then leaves. */
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
  test("200: tells the owner what happens to their transactions, as it happens, and nobody else's", async () => {
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
  test("200: goes on from the last event that was heard, missing and repeating nothing", async () => {
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
  test("429: stops the 301st request of an address within a minute", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/events" })).toBe(429);
  });
});
