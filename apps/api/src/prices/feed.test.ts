import { expect, test } from "vitest";
import { readFeed, sourceOf } from "./feed.ts";

const address = `0x${"5F".repeat(20)}`;

test("reads the asset, the feed and for how long its price may be used", () => {
  const feed = readFeed(`eip155:1/slip44:60=10:${address}:3600`);
  expect(feed).toEqual({
    ...{ asset: "eip155:1/native", chainId: 10, address: address.toLowerCase(), freshSeconds: 3600 },
  });
  expect(feed && sourceOf(feed)).toBe(`eip155:10:${address.toLowerCase()}`);
  expect(readFeed(`eip155:1/erc20:${address}=1:${address}:86400`)?.asset).toBe(
    `eip155:1/erc20:${address.toLowerCase()}`,
  );
});

test.each([
  "",
  `eip155:1/slip44:60=1:${address}`,
  `eip155:1/slip44:60=1:${address}:0`,
  `eip155:1/slip44:60=0:${address}:60`,
  `eip155:1/slip44:60=1:${address}0:60`,
  `eip155:1/erc721:${address}=1:${address}:60`,
  `ETH=1:${address}:60`,
])("does not read %j", (text) => {
  expect(readFeed(text)).toBeUndefined();
});
