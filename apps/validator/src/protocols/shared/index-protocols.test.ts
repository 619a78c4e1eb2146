import { describe, expect, test } from "vitest";
import { defineProtocol, describeFunction, fn, type Protocol } from "../../protocol.ts";
import { feeds } from "../../uses.ts";
import { checkProtocol } from "./check-protocol.ts";
import { indexProtocols, type Protocols } from "./index-protocols.ts";

const ROUTER = "0x7A250d5630B4cF539739dF2C5dAcb4c659F2488D";

const aProtocol = (parts: Partial<Protocol> = {}): Protocol =>
  defineProtocol({
    title: "Example",
    names: ["example"],
    contracts: { router: { 1: ROUTER } },
    functions: [
      fn("function act(uint256 amount)", ["router"], { amount: feeds.amount }, () => ({ act: "harmless" })),
    ],
    ...parts,
  });

const index = (protocols: Readonly<Record<string, Protocol>>): Protocols =>
  indexProtocols(new Map(Object.entries(protocols).map(([id, each]) => [id, checkProtocol(id, each)])));

describe("a protocol file", () => {
  test.each([
    ["a malformed address", { contracts: { router: { 1: "0x12" } } }, "is not an address"],
    ["a function on a role it does not have", { contracts: {} }, "is not a role of its contracts"],
    ["a name in capitals", { names: ["Example"] }, "must be in lower case"],
  ] as const)("is rejected for %s", (_name, parts, said) => {
    expect(() => index({ example: aProtocol(parts as Partial<Protocol>) })).toThrow(said);
  });

  test("is rejected for a signature that does not parse", () => {
    expect(() => describeFunction("function act(uint999x", "anywhere", {}, () => [])).toThrow("Unknown");
  });

  test("is rejected for an id that is not a valid file name", () => {
    expect(() => checkProtocol("Example-Two", aProtocol())).toThrow("lower case");
  });

  test("is rejected for a contract that another protocol already claims in the same role", () => {
    expect(() => index({ one: aProtocol(), two: aProtocol() })).toThrow(
      'claimed as "router" by one and again by two',
    );
  });
});

describe("the index of protocols", () => {
  const v2 = aProtocol({ names: ["example v2"], family: "example" });
  const v3 = aProtocol({
    names: ["example v3"],
    family: "example",
    contracts: { router: { 0: "0x1111111111111111111111111111111111111111" } },
  });
  const bridge = aProtocol({
    names: ["bridge"],
    contracts: { router: { 5: ROUTER } },
    standsFor: ["example_v3"],
  });
  const protocols = index({ bridge, example_v2: v2, example_v3: v3 });

  test("finds addresses in lower case, on their chain or on every chain", () => {
    expect(protocols.at(1, "0x7a250d5630b4cf539739df2c5dacb4c659f2488d")).toEqual([
      { protocol: "example_v2", role: "router" },
    ]);
    expect(protocols.at(2, "0x7a250d5630b4cf539739df2c5dacb4c659f2488d")).toEqual([]);
    expect(protocols.at(777, "0x1111111111111111111111111111111111111111")).toEqual([
      { protocol: "example_v3", role: "router" },
    ]);
  });

  test("resolves a family's name to the family, and a version's name to the version", () => {
    expect(protocols.venueNamed("Example")).toBe("example");
    expect(protocols.venueNamed("example v3")).toBe("example_v3");
    expect(protocols.venueNamed("nobody")).toBeNull();
  });

  test("accepts any version for the family, and not one version for another", () => {
    expect(protocols.satisfies("example", "example_v2")).toBe(true);
    expect(protocols.satisfies("example_v3", "example_v2")).toBe(false);
    expect(protocols.satisfies("example_v3", "bridge")).toBe(true);
    expect(protocols.satisfies("bridge", "example_v3")).toBe(false);
  });

  test("lists longer phrases first, so that a version is not read as its family", () => {
    expect(protocols.venuePhrases.indexOf("example v3")).toBeLessThan(
      protocols.venuePhrases.indexOf("example"),
    );
  });
});
