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
    ["an address that is none", { contracts: { router: { 1: "0x12" } } }, "is not an address"],
    ["a function on a role it does not have", { contracts: {} }, "is no role of its contracts"],
    ["a name in capitals", { names: ["Example"] }, "must be in lower case"],
  ] as const)("is refused for %s", (_name, parts, said) => {
    expect(() => index({ example: aProtocol(parts as Partial<Protocol>) })).toThrow(said);
  });

  test("is refused for a signature that does not parse", () => {
    expect(() => describeFunction("function act(uint999x", "anywhere", {}, () => [])).toThrow("Unknown");
  });

  test("is refused for an id that is no file name of ours", () => {
    expect(() => checkProtocol("Example-Two", aProtocol())).toThrow("lower case");
  });

  test("is refused for a contract that another already claims as the same thing", () => {
    expect(() => index({ one: aProtocol(), two: aProtocol() })).toThrow(
      'claimed as "router" by one and again by two',
    );
  });
});

describe("what is asked of the protocols", () => {
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

  test("addresses are found in lower case, on their chain or on every chain", () => {
    expect(protocols.at(1, "0x7a250d5630b4cf539739df2c5dacb4c659f2488d")).toEqual([
      { protocol: "example_v2", role: "router" },
    ]);
    expect(protocols.at(2, "0x7a250d5630b4cf539739df2c5dacb4c659f2488d")).toEqual([]);
    expect(protocols.at(777, "0x1111111111111111111111111111111111111111")).toEqual([
      { protocol: "example_v3", role: "router" },
    ]);
  });

  test("a family's name means the family, a version's the version", () => {
    expect(protocols.venueNamed("Example")).toBe("example");
    expect(protocols.venueNamed("example v3")).toBe("example_v3");
    expect(protocols.venueNamed("nobody")).toBeNull();
  });

  test("any version satisfies the family; one version does not satisfy another", () => {
    expect(protocols.satisfies("example", "example_v2")).toBe(true);
    expect(protocols.satisfies("example_v3", "example_v2")).toBe(false);
    expect(protocols.satisfies("example_v3", "bridge")).toBe(true);
    expect(protocols.satisfies("bridge", "example_v3")).toBe(false);
  });

  test("longer phrases come first, so that a version is not taken for its family", () => {
    expect(protocols.venuePhrases.indexOf("example v3")).toBeLessThan(
      protocols.venuePhrases.indexOf("example"),
    );
  });
});
