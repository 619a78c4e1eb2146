import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { networkOf } from "./network-of.ts";

describe("the network of an address", () => {
  test.each([
    ["10.0.0.1", "10.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["::FFFF:10.0.0.1", "10.0.0.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::3:4:5:6:7", "2001:db8:0:3::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:10.0.0.1", "1:2:3:4::/64"],
    ["64:ff9b::10.0.0.1", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["not an address", "not an address"],
  ])("%s is %s", (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });

  const group = fc.integer({ min: 0, max: 0xffff });
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  const write = (groups: readonly number[]) => groups.map((one) => one.toString(16)).join(":");

  test("is the same for all addresses of a /64, however they are written", () => {
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        const first = networkOf(write([...network, ...one]));
        expect(networkOf(write([...network, ...other]).toUpperCase())).toBe(first);
        // As the platform writes it, with the longest run of zeros left out.
        const short = new URL(`http://[${write([...network, ...one])}]/`).hostname.slice(1, -1);
        expect(networkOf(short)).toBe(first);
      }),
    );
  });
  test("differs for addresses whose first 64 bits differ in one bit", () => {
    fc.assert(
      fc.property(half, half, fc.nat(63), (network, host, bit) => {
        const changed = network.map((one, at) => (at === bit >> 4 ? one ^ (1 << (bit & 15)) : one));
        expect(networkOf(write([...changed, ...host]))).not.toBe(networkOf(write([...network, ...host])));
      }),
    );
  });
});
