import { describe, expect, test } from "vitest";
import { makePrimaryFinder, NoPrimary, type Role } from "./find-primary.ts";

type Servers = Record<string, Role | Error>;

function aFinder(servers: Servers) {
  const asked: string[] = [];
  const finder = makePrimaryFinder({
    urls: Object.keys(servers),
    patienceMs: 300,
    askRole: async (url) => {
      asked.push(url);
      const role = servers[url];
      if (role === undefined || role instanceof Error) throw role ?? new Error("unknown");
      return role;
    },
  });
  return { ...finder, asked };
}

const primary = (timeline: number): Role => ({ isPrimary: true, timeline });
const standby: Role = { isPrimary: false, timeline: 0 };
const gone = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });

describe("find", () => {
  test("returns the host that takes writes, whatever the others are", async () => {
    expect(await aFinder({ a: standby, b: gone, c: primary(3) }).find()).toBe("c");
  });

  test("of two primaries it returns the one that was promoted last", async () => {
    expect(await aFinder({ a: primary(1), b: primary(2) }).find()).toBe("b");
  });

  test("asks once for all callers, and again only after it was told to forget", async () => {
    const servers = { a: primary(1), b: standby };
    const finder = aFinder(servers);
    await Promise.all([finder.find(), finder.find()]);
    await finder.find();
    expect(finder.asked).toEqual(["a", "b"]);
    Object.assign(servers, { a: gone, b: primary(2) });
    finder.forget();
    expect(await finder.find()).toBe("b");
  });

  test("waits for a primary", async () => {
    const servers: Servers = { a: gone, b: standby };
    setTimeout(() => Object.assign(servers, { b: primary(2) }), 100);
    expect(await aFinder(servers).find()).toBe("b");
  });

  test("gives up when there is none, and looks again at the next call", async () => {
    const servers: Servers = { a: gone, b: standby };
    const finder = aFinder(servers);
    await expect(finder.find()).rejects.toThrow(NoPrimary);
    Object.assign(servers, { a: primary(1) });
    expect(await finder.find()).toBe("a");
  });

  test("never returns a primary that another one has replaced", async () => {
    const servers: Servers = { a: primary(1), b: primary(2) };
    const finder = aFinder(servers);
    expect(await finder.find()).toBe("b");
    servers["b"] = gone;
    finder.forget();
    await expect(finder.find()).rejects.toThrow(NoPrimary);
  });

  test.each(["28P01", "3D000"])("does not wait when a host refuses with %s", async (code) => {
    const refusal = Object.assign(new Error("no"), { code });
    await expect(aFinder({ a: gone, b: refusal }).find()).rejects.toBe(refusal);
  });

  test("takes no notice of a standby that does not know a new database yet", async () => {
    const refusal = Object.assign(new Error("no"), { code: "3D000" });
    expect(await aFinder({ a: refusal, b: primary(1) }).find()).toBe("b");
  });
});

describe("check", () => {
  test("accepts the primary, and a later one", async () => {
    const finder = aFinder({ a: primary(1) });
    finder.check(primary(1));
    finder.check(primary(2));
    expect(() => {
      finder.check(primary(1));
    }).toThrow(NoPrimary);
  });

  test("rejects a standby, and searches again", async () => {
    const servers: Servers = { a: primary(1), b: standby };
    const finder = aFinder(servers);
    expect(await finder.find()).toBe("a");
    Object.assign(servers, { a: standby, b: primary(2) });
    expect(() => {
      finder.check(standby);
    }).toThrow(NoPrimary);
    expect(await finder.find()).toBe("b");
  });
});
