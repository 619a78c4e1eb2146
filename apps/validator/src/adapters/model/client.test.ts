import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePorts } from "../../../../../tools/engines/ports.ts";
import { startModelStandIn, type ModelStandIn } from "../../../../../tools/stand-ins/model/stand-in.ts";
import { makeModelClient, type Completion } from "./client.ts";

const key = "sk-canary-5f2a9d0c";
let standIn: ModelStandIn;
beforeAll(async () => {
  standIn = await startModelStandIn({ key });
});
beforeEach(() => {
  standIn.behave("good");
});
afterAll(() => standIn.close());

const data = { words: "Pay", effects: [], marker: "\ue000", nonce: "n1" };
const id = "f".repeat(32);
const ask = (
  given: Partial<Parameters<typeof makeModelClient>[0]> = {},
  timeoutMs = 2000,
): Promise<Completion> =>
  makeModelClient({ url: standIn.url, key, model: "stand-in-1", ...given }).complete({
    system: "Question",
    user: `<<${id}\n${JSON.stringify(data)}\n${id}>>`,
    signal: AbortSignal.timeout(timeoutMs),
  });

describe("a question to a model", () => {
  test("is asked of the pinned model, coldly, and answered", async () => {
    const completion = await ask();
    expect(completion).toMatchObject({ kind: "answer", text: expect.stringContaining("n1") as unknown });
    expect(standIn.seen.at(-1)?.body).toMatchObject({
      model: "stand-in-1",
      temperature: 0,
      seed: 1,
      messages: [{ role: "system", content: "Question" }, { role: "user" }],
    });
    expect(JSON.stringify(standIn.seen.at(-1)?.body)).not.toContain(key);
  });
  test.each([
    ["status_500", "it answered with status 500"],
    ["refuses", "it answered with status 401"],
    ["endless", "its answer is too long"],
    ["redirects", "the connection failed"],
  ] as const)("that goes wrong is a failure that reached it: %s", async (how, why) => {
    standIn.behave(how);
    expect(await ask()).toEqual({ kind: "failed", reached: true, why });
  });
  test("with the wrong key is refused", async () => {
    const why = "it answered with status 401";
    expect(await ask({ key: "other" })).toEqual({ kind: "failed", reached: true, why });
    expect(await ask({ key: undefined })).toEqual({ kind: "failed", reached: true, why });
  });
  test("is given up in time", async () => {
    standIn.behave("slow");
    expect(await ask({}, 100)).toEqual({ kind: "failed", reached: true, why: "it did not answer in time" });
  });
  test("to an unreachable provider does not count as one", async () => {
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port ?? 0}/v1`;
    expect(await ask({ url })).toEqual({ kind: "failed", reached: false, why: "it could not be reached" });
  });
  test("that gets something else than a completion is a failure", async () => {
    expect(await ask({ url: `${standIn.url}/nowhere` })).toMatchObject({ kind: "failed", reached: true });
  });
  test("never brings the key back", async () => {
    standIn.behave("leaks");
    const completion = await ask();
    expect(completion.kind).toBe("answer");
    expect(JSON.stringify(completion)).not.toContain(key);
  });
});
