import { expect, it } from "vitest";
import { makeProgress } from "./progress.ts";

function record(
  isLive: boolean,
  isColoured = false,
): { readonly text: () => string } & ReturnType<typeof makeProgress> {
  let text = "";
  const progress = makeProgress({ write: (added) => (text += added), isLive, isColoured });
  return { ...progress, text: () => text };
}

it("appends plain lines where it cannot rewrite them", () => {
  const progress = record(false);
  progress.starting("anvil");
  progress.starting("ipfs");
  progress.ready("anvil", 812);
  progress.failed("ipfs", "no room");
  progress.exited("anvil", "SIGKILL", "/logs/anvil.log");
  progress.stopped("anvil", 20);
  expect(progress.text()).toMatchInlineSnapshot(`
    "● anvil           starting
    ● ipfs            starting
    ✓ anvil           ready in 0.8 s
    ✗ ipfs            failed: no room
    ✗ anvil exited unexpectedly (SIGKILL); the rest keeps running. Its log is /logs/anvil.log
    ✓ anvil           stopped in 0.0 s
    "
  `);
});

const escape = "\u001B";
/** Up by so many rows, or a line put in the place of another. */
const moves = new RegExp(`${escape}\\[(\\d+)A|${escape}\\[2K(.*)\\n`, "g");

it("rewrites the lines of a terminal, in the parts' order", () => {
  const progress = record(true);
  progress.starting("ipfs");
  progress.starting("anvil");
  progress.ready("ipfs", 1000);
  const screen: string[] = [];
  let row = 0;
  for (const [, up, line] of progress.text().matchAll(moves)) {
    if (up !== undefined) row -= Number(up);
    else screen[row++] = line ?? "";
  }
  expect(screen).toEqual(["● anvil           starting", "✓ ipfs            ready in 1.0 s"]);
});

it("uses colours only where it is told to", () => {
  const plain = record(true);
  const coloured = record(true, true);
  for (const progress of [plain, coloured]) progress.ready("api", 1);
  expect(plain.text()).not.toContain(`${escape}[32m`);
  expect(coloured.text()).toContain(`${escape}[32m✓`);
});
