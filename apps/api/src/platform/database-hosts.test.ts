import fc from "fast-check";
import { expect, test } from "vitest";
import { listHosts } from "./database-hosts.ts";

test.each([
  ["one host", "postgres://me:pw@db:5432/x", ["postgres://me:pw@db:5432/x"]],
  [
    "two hosts",
    "postgresql://me:p%40w@a,b:5433/x?sslmode=require",
    ["postgresql://me:p%40w@a/x?sslmode=require", "postgresql://me:p%40w@b:5433/x?sslmode=require"],
  ],
  ["no user", "postgres://a:1,b:2/x", ["postgres://a:1/x", "postgres://b:2/x"]],
  ["IPv6", "postgres://[::1]:1,[::2]:2/x", ["postgres://[::1]:1/x", "postgres://[::2]:2/x"]],
  [
    "an @ in the password",
    "postgres://me:a@b,c@d:1,e:2/x",
    ["postgres://me:a@b,c@d:1/x", "postgres://me:a@b,c@e:2/x"],
  ],
])("reads %s", (_, url, hosts) => {
  expect(listHosts(url)).toEqual(hosts);
});

test.each(["mysql://a/x", "a:1,b:2/x", "postgres://a:one/x", "postgres://a:99999,b/x", ""])(
  "returns nothing for %s",
  (url) => {
    expect(listHosts(url)).toBeUndefined();
  },
);

test("returns a URL for each host, with everything else unchanged", () => {
  const host = fc
    .tuple(fc.domain(), fc.integer({ min: 1, max: 65_535 }))
    .map(([name, port]) => `${name}:${port}`);
  fc.assert(
    fc.property(fc.array(host, { minLength: 1, maxLength: 5 }), (hosts) => {
      expect(listHosts(`postgres://u:p@${hosts.join(",")}/d?a=b`)).toEqual(
        hosts.map((one) => `postgres://u:p@${one}/d?a=b`),
      );
    }),
  );
});
