// How a person acts on a page: with a finger on a phone, and on a desk with nothing but a keyboard.
import type { Locator, Page } from "playwright-core";
import type { Visit } from "./harness.ts";

/** More than any page has to stop at. */
const mostStops = 120;

/** By Tab until it is there. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  await (await wanted.elementHandle()).waitForElementState("enabled");
  for (let stops = 0; stops < mostStops; stops++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`It cannot be reached by keyboard: ${wanted.toString()}`);
}

/** A button, a link, or something to tick. */
export async function press({ page, screen }: Visit, wanted: Locator): Promise<void> {
  if (screen === "phone") return wanted.tap();
  await tabTo(page, wanted);
  const isLink = await wanted.evaluate((element) => element.tagName === "A");
  return page.keyboard.press(isLink ? "Enter" : "Space");
}

/** One of several: a keyboard comes to the one that is chosen, and goes on from there. */
export async function choose({ page, screen }: Visit, wanted: Locator): Promise<void> {
  if (screen === "phone") return wanted.tap();
  const group = wanted.locator("xpath=ancestor::*[@role='radiogroup']");
  await tabTo(page, group.getByRole("radio", { checked: true }));
  for (let rest = await group.getByRole("radio").count(); rest > 0; rest--) {
    if (await wanted.isChecked()) return;
    // Held as long as a finger holds it: the group moves on while the key is down.
    await page.keyboard.press("ArrowDown", { delay: 200 });
  }
  throw new Error(`It cannot be chosen by keyboard: ${wanted.toString()}`);
}

/** In place of what stands there. */
export async function write({ page, screen }: Visit, field: Locator, text: string): Promise<void> {
  if (screen === "phone") await field.tap();
  else await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}
