import { expect, test } from "vitest";
import { crc32c } from "./crc32c.ts";

test.each([
  // The check value of the algorithm, and three of RFC 3720, B.4.
  [Buffer.from("123456789"), 0xe3069283],
  [Buffer.alloc(32), 0x8a9136aa],
  [Buffer.alloc(32, 0xff), 0x62a8ab43],
  [Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
  [Buffer.alloc(0), 0],
])("returns the published value of %j", (bytes, sum) => {
  expect(crc32c(bytes)).toBe(sum);
});
