import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { buildSite, type Site } from "./build.ts";

let root = "";
function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const build = (): Site => buildSite(root);
const page = (path: string): string => build().files.get(path) ?? "";

beforeEach(() => {
  root = makeTempDir("site");
  write("README.md", "# Front\n\n[guide](docs/guides/one.md#second-part) [all](docs/decisions/)\n");
  write("docs/guides/one.md", "# One\n\n## First part\n\n## Second part\n\n[two](two.md)\n");
  write("docs/guides/two.md", "# Two\n\n[program](../../examples/a/main.ts)\n");
  write("docs/decisions/0001-why.md", "# 0001 Why\n");
  write(
    "docs/llms.txt",
    "# Us\n\n- [Two](guides/two.md)\n- [One](guides/one.md): first\n- [Decisions](decisions/)\n",
  );
  write("examples/a/main.ts", 'console.log("<b>");\n');
  for (const name of ["api", "validator", "orion", "simulator"])
    write(`docs/reference/openapi.${name}.json`, "{}");
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe("links", () => {
  test("a link to a document is one to its page, with its anchor", () => {
    expect(page("index.html")).toContain('href="docs/guides/one.html#second-part"');
    expect(page("docs/guides/one.html")).toContain('href="two.html"');
    expect(build().faults).toEqual([]);
  });

  test("a folder without a README is shown as a list", () => {
    expect(page("index.html")).toContain('href="docs/decisions/index.html"');
    expect(page("docs/decisions/index.html")).toContain('href="0001-why.html"');
  });

  test("the reference of the SDK is linked, although only the build of the site writes it", () => {
    write("packages/sdk/README.md", "# SDK\n\n[every export](../../docs/reference/sdk/index.html)\n");
    expect(page("packages/sdk/index.html")).toContain('href="../../docs/reference/sdk/index.html"');
    expect(build().faults).toEqual([]);
  });

  test("a file that is no document comes along as a listing", () => {
    expect(page("docs/guides/two.html")).toContain('href="../../examples/a/main.ts.html"');
    expect(page("examples/a/main.ts.html")).toContain("&lt;b&gt;");
  });

  test.each([
    ["[x](gone.md)", "there is nothing there"],
    ["[x](docs/guides/one.md#third-part)", '"third-part" is no heading there'],
    ["[x](#nowhere)", '"nowhere" is no heading there'],
    ["[x](../outside.md)", "leads out of the repository"],
    ["![x](gone.png)", "there is nothing there"],
  ])("%s is a fault", (link, message) => {
    write("SECURITY.md", `# S\n\n${link}\n`);
    expect(build().faults).toMatchObject([{ source: "SECURITY.md", message }]);
  });

  test("a wrong link in llms.txt is a fault, too", () => {
    write("docs/llms.txt", "[gone](guides/gone.md)");
    expect(build().faults).toMatchObject([{ source: "docs/llms.txt", href: "guides/gone.md" }]);
  });
});

describe("pages", () => {
  test("guides are read in the order of llms.txt", () => {
    expect(page("docs/guides/two.html")).toMatch(/rel="next" href="one\.html"/);
    expect(page("docs/guides/one.html")).toMatch(/rel="prev" href="two\.html"/);
  });

  test("headings that are equal have anchors that are not", () => {
    write("SECURITY.md", "# S\n\n## `a.b` and c!\n\n## Again\n\n## Again\n\n[x](#ab-and-c) [y](#again-1)\n");
    expect(build().faults).toEqual([]);
  });

  test("HTML in a document is shown, not obeyed", () => {
    write(
      "SECURITY.md",
      "# S\n\n<script>alert(1)</script>\n\n<!-- quiet -->\n\ntext <img src=x onerror=y>\n",
    );
    const html = page("SECURITY.html");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toMatch(/<script>|<img src=x|quiet/);
  });

  test("nothing runs that is not a file of the site, and nothing is asked for elsewhere", () => {
    for (const [path, html] of build().files) {
      if (!path.endsWith(".html")) continue;
      expect(html).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
      expect(html).not.toMatch(
        /<script(?! src="[^":]*" defer>)|<style|\son\w+=|\sstyle=|(?:src|rel="stylesheet" href)="(?:https?:)?\/\//,
      );
    }
  });

  test("every page is there as text, and all of them in one", () => {
    const { files } = build();
    expect(files.get("docs/guides/one.md")).toContain("# One");
    expect(files.get("llms.txt")).toContain("[One](docs/guides/one.md)");
    expect(files.get("llms-full.txt")).toMatch(/# Front[^]*# Two[^]*# One/);
    expect(files.has("docs/reference/openapi.api.json")).toBe(true);
  });
});

test("no link of the repository leads nowhere", () => {
  expect(buildSite(join(import.meta.dirname, "../..")).faults).toEqual([]);
});
