import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { isPublicAddress } from "./is-public-address.ts";

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.215.14",
  "172.32.0.1",
  "2606:4700::1111",
  "2a00:1450:4001:81b::200e",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const ranges = {
  "this network": "0.0.0.0/8",
  "private, 10": "10.0.0.0/8",
  "carrier-grade NAT": "100.64.0.0/10",
  "this machine": "127.0.0.0/8",
  "link-local": "169.254.0.0/16",
  "private, 172": "172.16.0.0/12",
  "assigned for protocols": "192.0.0.0/24",
  "documentation, first": "192.0.2.0/24",
  "6to4 relays": "192.88.99.0/24",
  "private, 192": "192.168.0.0/16",
  measuring: "198.18.0.0/15",
  "documentation, second": "198.51.100.0/24",
  "documentation, third": "203.0.113.0/24",
  multicast: "224.0.0.0/4",
  "reserved, and broadcast": "240.0.0.0/4",
  "unspecified, this machine and IPv4-compatible": "::/96",
  "IPv4-mapped": "::ffff:0:0/96",
  "IPv4-translated": "::ffff:0:0:0/96",
  NAT64: "64:ff9b::/96",
  "NAT64 inside a network": "64:ff9b:1::/48",
  "discard only": "100::/64",
  "assigned for protocols, with Teredo": "2001::/23",
  "documentation, IPv6": "2001:db8::/32",
  "6to4": "2002::/16",
  "documentation, newer": "3fff::/20",
  "segment routing": "5f00::/16",
  "unique local": "fc00::/7",
  "link-local, IPv6": "fe80::/10",
  "site-local": "fec0::/10",
  "multicast, IPv6": "ff00::/8",
};

/** Any address of a range: its prefix is fixed, the other bits are random. */
const anyOf = (range: string) => {
  const [network, bits] = ipaddr.parseCIDR(range);
  const start = network.toByteArray();
  return fc.uint8Array({ minLength: start.length, maxLength: start.length }).map((chance) => {
    const bytes = start.map((byte, at) => {
      const mask = (0xff << Math.max(0, 8 - Math.max(0, bits - at * 8))) & 0xff;
      return (byte & mask) | ((chance[at] ?? 0) & ~mask & 0xff);
    });
    return ipaddr.fromByteArray(bytes).toString();
  });
};

test.each(Object.entries(ranges))("no address of %s is public", (_name, range) => {
  fc.assert(
    fc.property(anyOf(range), (address) => {
      expect(isPublicAddress(address)).toBe(false);
    }),
  );
});

test("no IPv4 address is public when embedded in an IPv6 one", () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.constantFrom("::ffff:", "::", "64:ff9b::", "::ffff:0:", "64:ff9b:1::"),
      (address, before) => {
        expect(isPublicAddress(`${before}${address}`)).toBe(false);
      },
    ),
  );
});

test("nothing outside 2000::/3 is public, assigned or not", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      if (isPublicAddress(address))
        expect(ipaddr.parse(address).toByteArray()[0]).toSatisfy((b: number) => b >> 5 === 1);
    }),
  );
});

test.each([
  "169.254.169.254",
  "fd00:ec2::254",
  "127.1",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "2130706433",
  "8.8.8.8.",
  " 8.8.8.8",
  "fe80::1%eth0",
  "2606:4700::1111%1",
  "[2606:4700::1111]",
  "localhost",
  "",
])("%j is not public or not an address", (text) => {
  expect(isPublicAddress(text)).toBe(false);
});
