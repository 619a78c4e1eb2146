// Single-letter shortcuts. They do nothing in a field, in a dialog, or with a modifier.

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

const storageKey = "countersign.keys";

/** Owners can turn the shortcuts off (WCAG 2.1.4). */
export const areKeysOn = (): boolean => localStorage.getItem(storageKey) !== "off";
export const setKeysOn = (isOn: boolean): void => {
  localStorage.setItem(storageKey, isOn ? "on" : "off");
};

export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.defaultPrevented &&
  !isTyping(event.target) &&
  document.querySelector("dialog[open]") === null &&
  areKeysOn();
