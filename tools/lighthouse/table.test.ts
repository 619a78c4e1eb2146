import { expect, test } from "vitest";
import type { Figures } from "./look.ts";
import { middleOf, renderObjections, renderTable } from "./table.ts";

const figures = (performance: number, objections: readonly string[] = []): Figures => ({
  scores: { performance, accessibility: 100, "best-practices": 99, seo: 66 },
  timings: { lcpMs: 2345, tbtMs: 49.6, shift: 0.0512, bytes: 171_700 },
  machine: 625.5,
  objections,
});

test("of several runs the one in the middle is shown, and of two the worse", () => {
  const [bad, fair, good] = [figures(41), figures(60), figures(99)];
  expect(middleOf([good, bad, fair])).toBe(fair);
  expect(middleOf([good, bad])).toBe(bad);
  expect(() => middleOf([])).toThrow("no run");
});

test("a row says what was seen, rounded", () => {
  const [, , row] = renderTable([{ page: "inbox", preset: "mobile", figures: figures(41) }]).split("\n");
  expect(row?.split("|").map((cell) => cell.trim())).toEqual([
    ...["", "inbox", "mobile", "41", "100", "99", "66"],
    ...["2.3 s", "50 ms", "0.051", "172 kB", "626", ""],
  ]);
});

test("an objection is told once, with every place where it was made", () => {
  const rows = [
    { page: "inbox", preset: "mobile", figures: figures(41, ["Too much", "Too late"]) },
    { page: "try", preset: "desktop", figures: figures(60, ["Too much"]) },
  ] as const;
  expect(renderObjections(rows)).toBe("- Too much (inbox mobile, try desktop)\n- Too late (inbox mobile)");
});
