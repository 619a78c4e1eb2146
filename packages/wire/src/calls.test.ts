import { describe, expect, test } from "vitest";
import { hashPayload, isFor, maximumCalls, parseCalls, TypedDataProblem } from "./index.ts";

const from = `0x${"AB".repeat(20)}`;
const to = `0x${"CD".repeat(20)}`;
const batch = (change: object = {}) => ({
  ...{ chainId: "0x1", from, atomicRequired: true, calls: [{ to, value: "0x10", data: "0xFF" }] },
  ...change,
});

describe("a batch of calls", () => {
  test("has one form, however an app writes it", () => {
    const calls = parseCalls(batch());
    expect(calls).toEqual({
      ...{ version: "2.0.0", chainId: 1, from: from.toLowerCase(), atomicRequired: true },
      calls: [{ to: to.toLowerCase(), value: "16", data: "0xff" }],
    });
    for (const same of [
      batch({ version: "2.0.0" }),
      batch({ chainId: 1, calls: [{ to, value: 16n, data: "0xff" }] }),
      calls,
    ])
      expect(parseCalls(same)).toEqual(calls);
    expect(parseCalls(batch({ calls: [{ to }] })).calls).toEqual([
      { to: to.toLowerCase(), value: "0", data: "0x" },
    ]);
  });

  test.each([
    ["calls", "not an object"],
    ["version", batch({ version: "1.0" })],
    ["chainId", batch({ chainId: undefined })],
    ["chainId", batch({ chainId: 0 })],
    ["from", batch({ from: undefined })],
    ["atomicRequired", batch({ atomicRequired: undefined })],
    ["atomicRequired", batch({ atomicRequired: "false" })],
    ["capabilities", batch({ capabilities: { paymasterService: { url: "https://example.com" } } })],
    ["id", batch({ id: "0x01" })],
    ["calls", batch({ calls: [] })],
    ["calls", batch({ calls: { to } })],
    ["calls", batch({ calls: Array.from({ length: maximumCalls + 1 }, () => ({ to })) })],
    ["calls[0]", batch({ calls: ["0x"] })],
    ["calls[0].to", batch({ calls: [{ data: "0x6000" }] })],
    ["calls[1].value", batch({ calls: [{ to }, { to, value: "-1" }] })],
    ["calls[0].data", batch({ calls: [{ to, data: "0xf" }] })],
    ["calls[0].capabilities", batch({ calls: [{ to, capabilities: {} }] })],
  ])("with a wrong %s is rejected, and the problem names it", (at, json) => {
    const parse = () => parseCalls(json);
    expect(parse).toThrow(TypedDataProblem);
    expect(parse).toThrow(expect.objectContaining({ at }) as Error);
  });

  test("has another hash if anything in it differs, the order of its calls included", () => {
    const [one, two] = [{ to }, { to, value: "1" }];
    const hashes = [
      ...[batch(), batch({ chainId: 2 }), batch({ from: to }), batch({ atomicRequired: false })],
      ...[[one], [two], [one, two], [two, one], [one, one], [{ to: from }], [{ to, data: "0x00" }]].map(
        (calls) => batch({ calls }),
      ),
    ].map((json) => hashPayload({ shape: "calls", calls: parseCalls(json) }));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("is for its own chain and account only", () => {
    const payload = { shape: "calls", calls: parseCalls(batch()) } as const;
    const escrow = payload.calls.from;
    expect(isFor(payload, { chainId: 1, escrow })).toBe(true);
    expect(isFor(payload, { chainId: 2, escrow })).toBe(false);
    expect(isFor(payload, { chainId: 1, escrow: payload.calls.calls[0]?.to ?? "0x" })).toBe(false);
  });
});
