import { execFileSync } from "node:child_process";
import { makeVoiceRule } from "./tools/check/voice/commit-rule.ts";

// A scope is a folder that exists, so that `git log --grep` finds a slice's history by the name of its folder.
const folders = execFileSync("git", ["ls-files"], { cwd: import.meta.dirname, encoding: "utf8" })
  .split("\n")
  .flatMap((file) => file.split("/").slice(0, -1));

export default {
  extends: ["@commitlint/config-conventional"],
  plugins: [{ rules: { voice: makeVoiceRule() } }],
  rules: {
    "type-enum": [2, "always", ["feat", "fix", "refactor", "perf", "test", "docs", "build", "ci", "chore"]],
    "scope-enum": [2, "always", [...new Set(folders)]],
    "header-max-length": [2, "always", 72],
    "body-max-line-length": [2, "always", 120],
    "subject-case": [0],
    voice: [2, "always"],
  },
};
