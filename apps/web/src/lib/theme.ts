// The color scheme: the system's, or the owner's choice in this browser.

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "countersign.theme";

export const readTheme = (): Theme =>
  themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? "system";

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  applyTheme(theme);
}
