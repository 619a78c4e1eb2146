import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { Unavailable } from "../adapters/http/index.ts";
import { aContent } from "../../test/proposals.ts";
import { nothingBound } from "./bound.ts";
import type { Privacy } from "./examine.ts";
import { stateOf, type StateParts } from "./state.ts";

const state = { version: 1 };
async function ask(given: Partial<StateParts> = {}, privacy: Privacy = "for the owner") {
  const lines: string[] = [];
  const calls: object[] = [];
  const content = aContent();
  const found = await stateOf(
    {
      simulator: {
        capture: async (call) => {
          calls.push(call);
          return state;
        },
      },
      simulatesSealed: false,
      log: makeLog({ app: "test", level: "debug", to: { write: (line) => void lines.push(line) } }),
      ...given,
    },
    { kind: "sound", content, bound: nothingBound, privacy },
  );
  return { found, calls, lines: lines.join(""), content };
}

describe("the state of a proposal", () => {
  test("is captured for the account and the call", async () => {
    const { found, calls, content } = await ask();
    expect(found).toBe(state);
    const { chainId, escrow: from, to, value, data } = content;
    expect(calls).toEqual([{ chainId, from, to, value, data }]);
  });

  test("is absent without a simulator", async () => {
    expect(await ask({ simulator: undefined })).toMatchObject({ found: undefined, lines: "" });
  });

  test("is absent if the simulator has none, and the log names the reason and nothing of the proposal", async () => {
    const capture = () => Promise.reject(new Unavailable("the simulator answered with status 503"));
    const { found, lines, content } = await ask({ simulator: { capture } });
    expect(found).toBeUndefined();
    expect(lines).toContain("the simulator answered with status 503");
    expect(lines).not.toContain(content.to);
  });

  test("is not captured for a call that its sender encrypted, unless the operator allows it", async () => {
    expect(await ask({}, "encrypted by the sender")).toMatchObject({ found: undefined, calls: [] });
    expect(await ask({ simulatesSealed: true }, "encrypted by the sender")).toMatchObject({ found: state });
  });

  test("does not hide an error of ours", async () => {
    const capture = () => Promise.reject(new TypeError("a mistake"));
    await expect(ask({ simulator: { capture } })).rejects.toThrow("a mistake");
  });
});
