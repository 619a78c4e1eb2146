// User input: touch on the phone, keyboard only on the desktop.
import type { Locator, Page } from "playwright-core";
import type { Visit } from "./harness.ts";

/** More than the tab stops of any page. */
const mostStops = 120;

/** Presses Tab until the element has focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  await (await wanted.elementHandle()).waitForElementState("enabled");
  for (let stops = 0; stops < mostStops; stops++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`It cannot be reached by keyboard: ${wanted.toString()}`);
}

/** Activates a button, link or checkbox. */
export async function press({ page, screen }: Visit, wanted: Locator): Promise<void> {
  if (screen === "phone") return wanted.tap();
  await tabTo(page, wanted);
  const isLink = await wanted.evaluate((element) => element.tagName === "A");
  return page.keyboard.press(isLink ? "Enter" : "Space");
}

/** Selects a radio option, starting at the selected one. */
export async function choose({ page, screen }: Visit, wanted: Locator): Promise<void> {
  if (screen === "phone") return wanted.tap();
  const group = wanted.locator("xpath=ancestor::*[@role='radiogroup']");
  await tabTo(page, group.getByRole("radio", { checked: true }));
  for (let rest = await group.getByRole("radio").count(); rest > 0; rest--) {
    if (await wanted.isChecked()) return;
    // The group moves while the key is down, so hold it as long as a user would.
    await page.keyboard.press("ArrowDown", { delay: 200 });
  }
  throw new Error(`It cannot be chosen by keyboard: ${wanted.toString()}`);
}

/** Replaces the field's content. */
export async function write({ page, screen }: Visit, field: Locator, text: string): Promise<void> {
  if (screen === "phone") await field.tap();
  else await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}
