import fc from "fast-check";
import { expect, test } from "vitest";
import { makeSentReader } from "./server-sent.ts";

const nothing = { id: undefined, event: "message", data: undefined, retryMs: undefined };

test("parses the service's events", () => {
  const read = makeSentReader();
  expect(read("retry: 2000\n\n: keep-alive\n\n")).toEqual([{ ...nothing, retryMs: 2000 }, nothing]);
  expect(read('id: 1-2\nevent: transaction\ndata: {"a":1}\n\n')).toEqual([
    { ...nothing, id: "1-2", event: "transaction", data: '{"a":1}' },
  ]);
  // An id applies until there is another; unfinished blocks are not returned.
  expect(read("data: x\ndata\ndata:y\n\ndata: z\n")).toEqual([{ ...nothing, id: "1-2", data: "x\n\ny" }]);
});

test("parses the same events for any chunking and line ending", () => {
  const written =
    "\uFEFFretry: 10\n\nid: 7\nevent: transaction\ndata: one\ndata: two: three\n\n: hush\n\ndata: é\n\n";
  const whole = makeSentReader()(written);
  expect(whole).toHaveLength(4);
  fc.assert(
    fc.property(fc.array(fc.nat(written.length * 2)), fc.constantFrom("\n", "\r\n", "\r"), (cuts, end) => {
      const text = `${written.replaceAll("\n", end)}:${end}`;
      const read = makeSentReader();
      const places = [0, ...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length];
      const found = places.slice(1).flatMap((to, at) => read(text.slice(places[at], to)));
      expect(found).toEqual(whole);
    }),
  );
});

test("bounds its buffer", () => {
  const read = makeSentReader();
  expect(() => read("x".repeat(1_000_001))).toThrow("line too long");
});
