import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const sourcesOf = (pattern: string): string =>
  globSync(pattern, { cwd: root, exclude: (path) => path.endsWith(".test.ts") })
    .map(read)
    .join("\n");
const all = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name)),
];

describe.each(globSync("skills/*/SKILL.md", { cwd: root }))("%s", (path) => {
  const text = read(path);
  const [, frontmatter = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  const fields = Object.fromEntries(
    frontmatter
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );

  test("is named after its folder and says when to use it", () => {
    expect(Object.keys(fields)).toEqual(["name", "description"]);
    expect(fields["name"]).toBe(basename(dirname(path)));
    expect(fields["name"]).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(fields["description"]).toMatch(/\bUse it\b/);
    expect(fields["description"]?.length).toBeLessThanOrEqual(1024);
    // As YAML it is a plain scalar, which neither of these may be in.
    expect(fields["description"]).not.toMatch(/: | #|^[&*!|>'"%@`[{]/);
    expect(body.split("\n").length).toBeLessThan(500);
  });

  test("names only commands and options that exist", () => {
    const commands = all(sourcesOf("apps/cli/src/commands/*.ts"), /\.command\("([a-z]+)/g);
    const options = all(sourcesOf("apps/cli/src/**/*.ts"), /option\(\s*"(?:-\w, )?(--[a-z-]+)/g);
    const named = all(body, /(?:`|^)countersign ([a-z]+)/gm);
    expect(named).not.toEqual([]);
    expect(commands).toEqual(expect.arrayContaining([...named]));
    expect(options).toEqual(expect.arrayContaining([...all(body, /(--[a-z]+(?:-[a-z]+)*)/g)]));
  });

  test("names only tools, resources and paths that exist", () => {
    const mcp = sourcesOf("apps/api/src/mcp/**/*.ts");
    for (const tool of all(body, /`((?:request|check)Verification[A-Za-z]*)`/g))
      expect(mcp).toContain(`"${tool}"`);
    for (const resource of all(body, /`(countersign:\/\/[a-z]+)/g)) expect(mcp).toContain(resource);
    const routes = read("docs/reference/routes.md");
    for (const route of all(body, /`((?:GET|POST) \/[^`]+)`/g))
      expect(routes).toContain(`| ${route.replace(" ", " | `")}\` |`);
  });

  test("names only what the SDK exports", () => {
    for (const [, names = "", door = ""] of body.matchAll(
      /import (?:type )?\{([^}]*)\} from "@countersign\/sdk(\/[a-z]+)?"/g,
    )) {
      const surface = read(`packages/sdk/src${door}/index.ts`);
      for (const name of names.split(","))
        expect(surface).toMatch(new RegExp(`\\b${name.replace("type", "").trim()}\\b`));
    }
  });

  test("knows every status and verdict, and the exit codes as they are", () => {
    for (const word of ["PENDING", "APPROVED", "REJECTED", "EXECUTED", "FAILED", "UNDECIDED"])
      expect(body).toContain(`\`${word}\``);
    const codes = all(read("apps/cli/src/exit-codes.ts"), /: (\d+),/g);
    expect(codes).toEqual(expect.arrayContaining([...all(body, /^\| (\d+) +\|/gm)]));
  });
});
