import { afterAll, beforeAll, expect, test } from "vitest";
import { aTestApi, exceedLimit, type TestApi } from "../test/test-api.ts";

// The endpoints' own tests exceed a small limit. This one exceeds the default limit.
let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(() => api.close());

test("one address may send 300 requests per minute to an endpoint, and gets 429 for the next one", async () => {
  expect(api.config.REQUESTS_PER_MINUTE_PER_IP).toBe(300);
  expect(await exceedLimit(api, { method: "GET", url: "/.well-known/jwks.json" }, 300)).toBe(429);
});
