import fc from "fast-check";
import { expect, test } from "vitest";
import { putTranscript, renderTranscript, type Seen } from "./transcript.ts";

const seen: Seen = {
  acts: [
    { shown: "npm ci", lines: ["added 3 packages"], ms: 61_400, milestones: [] },
    {
      ...{ shown: "npx countersign sandbox --demo", lines: ["✓ PASS.", "✗ REJECT."], ms: 50_000 },
      milestones: [
        ["first PASS", 20_000],
        ["first REJECT, explained", 23_600],
      ],
    },
  ],
  ...{ totalMs: 85_000, date: new Date("2026-01-02T03:04:05Z"), cores: 2, node: "20.1.0", npm: "11.0.0" },
};
const guide =
  "# Guide\n\n<!-- The transcript: written by npm run quickstart. -->\n\nold\n\n<!-- End of the transcript. -->\n\nmore\n";

test("shows commands, what they printed, and how long it took", () => {
  const text = renderTranscript(seen);
  expect(text).toContain(
    "$ npm ci\nadded 3 packages\n\n$ npx countersign sandbox --demo\n✓ PASS.\n✗ REJECT.\n```",
  );
  expect(text).toMatch(/\| `npm ci` +\| +61 s \|/);
  expect(text).toMatch(/first REJECT, explained \| +24 s \|/);
  expect(text).toContain("on 2026-01-02: 2 cores, Node 20.1.0");
});

test("is as the formatter would leave it", async () => {
  const { format } = await import("prettier");
  const text = `${renderTranscript(seen)}\n`;
  expect(await format(text, { parser: "markdown" })).toBe(text);
});

test("replaces the last one and nothing else", () => {
  const once = putTranscript(guide, "new");
  expect(once).toBe(guide.replace("old", "new"));
  expect(putTranscript(once, "new")).toBe(once);
});

test("a guide without marks is not written over", () => {
  expect(() => putTranscript("# Guide\n", "new")).toThrow("lacks its marks");
});

test("of what npm says about the version of Node one warning is shown, and how much more there was", () => {
  const warning = ["{", "  package: 'a',", "  required: x", "  current: y", "}"].map(
    (line) => `npm warn EBADENGINE ${line}`,
  );
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.array(fc.constantFrom("added 1", "")), (count, after) => {
      const lines = [...Array.from({ length: count }, () => warning).flat(), ...after];
      const text = renderTranscript({ ...seen, acts: [{ shown: "npm ci", lines, ms: 1, milestones: [] }] });
      const expected = [...warning, `… ${(count - 1) * 5} more lines of this kind`, ...after].join("\n");
      expect(text).toContain(`$ npm ci\n${expected}\n\`\`\``);
    }),
  );
});
