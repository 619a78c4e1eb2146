import fc from "fast-check";
import { expect, test } from "vitest";
import { makeHttp } from "./http.ts";
import { aServer, says, type Step } from "../test/server.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const outcomes = fc.array(fc.constantFrom(200, 400, 409, 429, 500, 503), { minLength: 1, maxLength: 6 });

test("a request is sent at most as often as was allowed, and twice only if that does no harm", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...methods),
      fc.boolean(),
      fc.nat(3),
      outcomes,
      async (method, isKeyed, retries, statuses) => {
        const steps = statuses.map((status): Step => says(status, {}, { "retry-after": "0" }));
        await using server = await aServer(...(steps as [Step, ...Step[]]));
        const key = isKeyed ? { idempotencyKey: "once" } : {};
        await makeHttp({ ...server, retries })("/things", { method, ...key }).catch(() => undefined);
        const sent = server.received.length;
        expect(sent).toBeGreaterThanOrEqual(1);
        expect(sent).toBeLessThanOrEqual(retries + 1);
        // The last status stands for all that follow.
        const answered = Array.from({ length: sent - 1 }, (_, at) => statuses[at] ?? statuses.at(-1));
        const isHarmless = isKeyed || method === "GET" || method === "PUT";
        expect(
          answered.every((status) => status === 429 || (isHarmless && status !== 200 && status !== 400)),
        ).toBe(true);
      },
    ),
    { numRuns: 25 },
  );
});
