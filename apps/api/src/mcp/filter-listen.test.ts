import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeFilterListen } from "./filter-listen.ts";
import type { Principal } from "./principal.ts";
import { uriOf } from "./resource-uri.ts";

type Hex = `0x${string}`;
type Listen = {
  readonly params: { readonly notifications: { readonly resourceSubscriptions: readonly string[] } };
};

const principal = { client: "key:1" } as Principal;
const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const asking = (resourceSubscriptions: unknown) => ({
  ...{ jsonrpc: "2.0", id: 1, method: "subscriptions/listen" },
  params: { notifications: { resourceSubscriptions, toolsListChanged: true }, _meta: { a: 1 } },
});
const heardOf = (filtered: unknown): readonly string[] =>
  (filtered as Listen).params.notifications.resourceSubscriptions;

describe("a listener", () => {
  test("receives what it may read, whatever else it asks for, and nothing else is checked", async () => {
    const uri = fc.oneof(
      fc.integer({ min: 0, max: 20 }).map((number) => uriOf(hashOf(number))),
      fc.integer({ min: 10, max: 20 }).map((number) => uriOf(hashOf(number).toUpperCase() as Hex)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(uri, { maxLength: 30 }), async (uris) => {
        const filter = makeFilterListen(async (_, hash) => BigInt(hash) % 2n === 0n);
        const heard = heardOf(await filter(asking(uris), principal));
        const mayBeHeard = new Set(Array.from({ length: 11 }, (_, index) => uriOf(hashOf(index * 2))));
        expect(heard).toEqual([...new Set(uris)].filter((asked) => mayBeHeard.has(asked)));
      }),
    );
  });
  test("keeps the rest of its message", async () => {
    const filter = makeFilterListen(async () => true);
    const sent = asking([uriOf(hashOf(1))]);
    expect(await filter(sent, principal)).toEqual(sent);
  });
  test("causes at most a hundred permission checks", async () => {
    let asked = 0;
    const filter = makeFilterListen(async () => ++asked > 0);
    const uris = Array.from({ length: 5000 }, (_, index) => uriOf(hashOf(index)));
    expect(heardOf(await filter(asking(uris), principal))).toHaveLength(100);
    expect(asked).toBe(100);
  });
  test.each([{}, { params: 1 }, { params: {} }, asking("all"), asking([1]), asking({ 0: uriOf(hashOf(1)) })])(
    "with a malformed list listens to nothing: %j",
    async (body) => {
      const filter = makeFilterListen(async () => true);
      const { params } = (await filter(body, principal)) as Pick<Listen, "params">;
      expect(params).not.toHaveProperty("notifications");
      expect(params).toEqual("id" in body ? { _meta: { a: 1 } } : {});
    },
  );
});
