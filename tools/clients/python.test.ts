import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { mayDoWithoutPython, pythonClient, runPython } from "./run-python.ts";

const read = (path: string): string => readFileSync(join(pythonClient, path), "utf8");
const sources = globSync("**/*.py", { cwd: pythonClient });

describe.skipIf(mayDoWithoutPython())("the Python client", () => {
  test("compiles without a warning", async () => {
    const prefix = makeTempDir("python-compiled");
    const { code, stdout } = await runPython(["-m", "compileall", "-q", "src", "tests", "system_tests"], {
      env: { PYTHONPYCACHEPREFIX: prefix },
    });
    expect([code, stdout]).toEqual([0, ""]);
  }, 120_000);

  test("passes its unit tests", async () => {
    const { code, stderr } = await runPython(["-m", "unittest", "discover", "-s", "tests", "-t", "."]);
    expect(code, stderr).toBe(0);
    // Without tests unittest succeeds as well.
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(40);
  }, 240_000);

  test("imports nothing but the standard library and itself, except for the transport with httpx", async () => {
    const program = `
import ast, pathlib, sys
names = set()
for path in pathlib.Path("src").rglob("*.py"):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {(path.stem, alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((path.stem, node.module))
print(sorted(one for one in names if one[1].split(".")[0] not in sys.stdlib_module_names))`;
    expect((await runPython(["-c", program])).stdout.trim()).toBe("[('httpx_transport', 'httpx')]");
  }, 60_000);
});

describe("the sources of the Python client", () => {
  test("keep lines within 100 characters and without trailing spaces", () => {
    expect(sources.length).toBeGreaterThan(20);
    const bad = sources.flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, index) => (line.length > 100 || /\s$/.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(bad).toEqual([]);
  });

  test("name one version, and forbid an upload", () => {
    const project = read("pyproject.toml");
    const version = /^VERSION = "(.*)"$/m.exec(read("src/countersign/version.py"))?.[1];
    expect(project).toContain(`\nversion = "${version}"\n`);
    expect(project).toContain('"Private :: Do Not Upload"');
  });
});
