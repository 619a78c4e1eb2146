import { execFileSync } from "node:child_process";
import { findHits } from "./rules.ts";

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" });

/** Returns the messages that are not bound by the voice: those of commits that do not descend from the one that introduced it. */
function findEarlierMessages(): ReadonlySet<string> {
  const log = git("log", "--all", "--diff-filter=A", "--format=%H", "--", "rules.ts").trim();
  const introduced = log.split("\n").at(-1) ?? "";
  const later = new Set(
    introduced === "" ? [] : git("rev-list", "--ancestry-path", "--all", `^${introduced}`).split("\n"),
  );
  const entries = git("log", "--all", "--format=%H %B%x00").split("\0");
  const earlier = entries.map((entry) => entry.trim()).filter((entry) => !later.has(entry.slice(0, 40)));
  return new Set(earlier.map((entry) => entry.slice(41).trim()));
}

/** Makes the commitlint rule that rejects banned constructions in a commit message. */
export function makeVoiceRule(): (commit: { readonly raw: string }) => [boolean, string] {
  const earlier = findEarlierMessages();
  return ({ raw }) => {
    const hits = earlier.has(raw.trim()) ? [] : findHits(raw, { sentences: true });
    const explained = hits.map(({ text, rule }) => `"${text}": write instead ${rule.instead}`);
    return [hits.length === 0, explained.join("; ")];
  };
}
