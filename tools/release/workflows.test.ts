// The workflow files, which no machine of ours runs: their structure, and what a mistake in them would give away.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readReleases } from "./releases.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".github/workflows");

const Texts = z.record(z.string(), z.string());
const Permissions = z.partialRecord(
  z.enum(["actions", "contents", "id-token", "packages"]),
  z.enum(["read", "write"]),
);
const Step = z
  .strictObject({
    id: z.string().optional(),
    name: z.string().optional(),
    uses: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    run: z.string().optional(),
    env: Texts.optional(),
    "working-directory": z.string().optional(),
  })
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined), "a step uses an action or runs");
const Job = z.union([
  z.strictObject({ uses: z.string().startsWith("./.github/workflows/") }),
  z.strictObject({
    needs: z.array(z.string()).optional(),
    "runs-on": z.string().regex(/^ubuntu-\d\d\.\d\d$/),
    container: z.string().regex(/^node:24-\w+$/),
    "timeout-minutes": z.int().positive(),
    environment: z.string().optional(),
    permissions: Permissions.optional(),
    steps: z.array(Step).min(1),
  }),
]);
/** The part of GitHub's workflow syntax that these files use. An unknown or misspelt key fails. */
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(z.string()).optional(), tags: z.array(z.string()).optional() }),
    pull_request: z.null().optional(),
    workflow_call: z.null().optional(),
  }),
  permissions: Permissions,
  concurrency: z.strictObject({
    group: z.string(),
    "cancel-in-progress": z.union([z.boolean(), z.string()]),
  }),
  jobs: z.record(z.string(), Job),
});

const files = readdirSync(folder).sort();
const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");
const workflowOf = (file: string) => Workflow.parse(parse(textOf(file)));
const stepsOf = (file: string) =>
  Object.values(workflowOf(file).jobs).flatMap((job) => ("steps" in job ? job.steps : []));
const runsOf = (file: string): string =>
  stepsOf(file)
    .map(({ run = "" }) => run)
    .join("\n");

test("there is one workflow for changes and one for releases", () => {
  expect(files).toEqual(["ci.yml", "release.yml"]);
});

describe.each(files)("%s", (file) => {
  test("has the structure of a workflow", () => {
    expect(Workflow.safeParse(parse(textOf(file))).error?.issues ?? []).toEqual([]);
  });

  test("pins every action by its commit, with the version in a comment", () => {
    const used = [...textOf(file).matchAll(/uses: (?!\.\/)(.+)$/gm)].map(([, action]) => action);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(used.length).toBe(stepsOf(file).filter(({ uses }) => uses !== undefined).length);
  });

  test("gives its token read access and keeps it out of the checkout", () => {
    expect(workflowOf(file).permissions).toEqual({ contents: "read" });
    for (const step of stepsOf(file).filter(({ uses = "" }) => uses.startsWith("actions/checkout@")))
      expect(step.with).toMatchObject({ "persist-credentials": false });
  });

  test("puts no expression into a script, where a name could end the command", () => {
    expect(runsOf(file)).not.toContain("${{");
  });

  test("names no address and runs only files and scripts that exist", () => {
    expect(textOf(file)).not.toMatch(/https?:\/\/|registry\.|ghcr|docker\.io/);
    for (const [, path = ""] of runsOf(file).matchAll(/(?:^|node )((?:tools|\.ci)\/[\w./-]+)/gm))
      expect(existsSync(join(root, path)), path).toBe(true);
  });
});

describe("a release", () => {
  const { on, jobs } = workflowOf("release.yml");
  const publish = jobs["publish"];
  if (publish === undefined || !("steps" in publish)) throw new Error("release.yml has no job publish");

  test("starts with a tag of a package only", () => {
    expect(on).toEqual({ push: { tags: ["@countersign/*@*"] } });
  });

  test("runs .ci/run first, in a job without the token of npm", () => {
    expect(jobs["ci"]).toEqual({ uses: "./.github/workflows/ci.yml" });
    expect(publish.needs).toEqual(["ci"]);
    expect(runsOf("ci.yml")).toMatch(/^\.ci\/run$/m);
    expect(textOf("ci.yml")).not.toContain("secrets.");
  });

  test("publishes with provenance, which needs an identity token", () => {
    expect(publish.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(publish.steps.at(-1)?.run).toMatch(/^npm publish --provenance --access public$/m);
    expect(publish.environment).toBe("npm");
  });

  test("gives the token of npm to the last step alone", () => {
    const withSecret = publish.steps.filter((step) => JSON.stringify(step).includes("secrets."));
    expect(withSecret).toEqual([publish.steps.at(-1)]);
  });

  test("checks the tag before it builds every package that is published", () => {
    const runs = publish.steps.map(({ run = "" }) => run);
    const checks = runs.findIndex((run) => run.includes('tools/release/main.ts "$GITHUB_REF_NAME"'));
    const builds = runs.findIndex((run) => run.includes("npm run build"));
    expect(checks).toBeGreaterThan(-1);
    expect(builds).toBeGreaterThan(checks);
    for (const { folder: workspace } of readReleases(root)) expect(runs[builds]).toContain(`-w ${workspace}`);
  });
});
