import { useState, type JSX } from "react";
import { chooseTheme, readTheme, themes } from "../lib/theme.ts";

const names = { system: "System", light: "Light", dark: "Dark" } as const;

/** Chooses the color scheme of this browser. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(readTheme);
  return (
    <label className="inline-flex items-center gap-2">
      Theme
      <select
        value={theme}
        onChange={(event) => {
          const chosen = themes.find((one) => one === event.target.value) ?? "system";
          chooseTheme(chosen);
          setTheme(chosen);
        }}
        className="min-h-11 rounded-lg border border-soft bg-card px-2 text-ink"
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
