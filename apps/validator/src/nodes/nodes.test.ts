import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { openSnapshot, readSnapshot } from "../lists/index.ts";
import { families } from "../node.ts";
import { parseLossless, ValidateRequest } from "../request/index.ts";
import type { Engine } from "../validate/engine.ts";
import { loadEngine } from "../validate/load-engine.ts";
import { validate } from "../validate/validate.ts";
import { catalogueOf, findNodes, loadNodes, type Catalogue } from "./load-nodes.ts";

const nodes = await findNodes();
/** A day after the time that the examples name, so that their lists are young and their deadlines are not past. */
const clock = { now: () => new Date("2026-09-22T00:00:00Z") };
const scratch = mkdtempSync(path.join(tmpdir(), "nodes-"));
let engine: Engine;

beforeAll(async () => {
  const config = { VALIDATOR_DATA_DIR: undefined, MAX_LIST_AGE_DAYS: 45, REQUIRE_SANCTIONS: false };
  engine = await loadEngine({
    config,
    version: "test",
    clock,
    log: makeLog({ app: "test", level: "silent" }),
  });
});
afterAll(() => rm(scratch, { recursive: true }));

/** The engine of an operator with these files. */
function operatedWith(files: Readonly<Record<string, unknown>>): Engine {
  const folder = mkdtempSync(path.join(scratch, "operator-"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  const now = BigInt(clock.now().getTime() / 1000);
  const { policy, contractData, ...lists } = openSnapshot(
    readSnapshot(folder, { now, keys: [] }),
    () => now,
    45,
  );
  return { ...engine, policy, contractData, lists };
}

const blockOf = (section: string, tag: string): string | undefined =>
  new RegExp(`^\`\`\`${tag}\n([^]*?)^\`\`\``, "m").exec(section)?.[1];

/** Facts that a page cannot show: the data of the operator, the proven state of a chain, a language model. */
const fromElsewhere = new Set([
  "contractData",
  "state",
  "simulation",
  "executedSwap",
  "engines",
  "opinion",
  "byEffect",
]);

test("the catalogue lists exactly the checks that are there", () => {
  const listed = JSON.parse(
    readFileSync(path.join(import.meta.dirname, "catalogue.json"), "utf8"),
  ) as Catalogue;
  expect(listed.checks).toEqual(catalogueOf(nodes));
});

test("a check consists of three files and no others", () => {
  for (const family of families) {
    const stems = Object.groupBy(readdirSync(path.join(import.meta.dirname, family)), (file) =>
      file.replace(/(\.test)?\.[a-z]+$/, ""),
    );
    for (const [stem, files = []] of Object.entries(stems))
      expect(files.sort()).toEqual([`${stem}.md`, `${stem}.test.ts`, `${stem}.ts`]);
  }
});

describe.each(nodes)("$id", ({ id, node, page }) => {
  test("has a short title of its own for a failure", () => {
    expect(node.failTitle).not.toBe(node.title);
    expect(node.failTitle.split(" ").length).toBeLessThanOrEqual(7);
    expect(node.failTitle).toMatch(/^\p{Lu}.*[^.]$/u);
  });
  test("its page has its title, and says every part in sentences", () => {
    expect(page.title).toBe(node.title);
    for (const [heading, text] of page.sections) {
      expect(text, heading).not.toBe("");
      if (!text.startsWith("```")) expect(text, heading).toMatch(/[.]$/);
    }
  });
  test.each([
    ["Passes", ["PASS"]],
    ["Fails", ["FAIL"]],
    ["Does not pass", ["FAIL", "not_understood", "not_checked"]],
  ] as const)("the example under %s gives one of %s", async (heading, outcomes) => {
    const section = page.sections.get(heading);
    if (section === undefined) return;
    const request = blockOf(section, "json");
    if (request === undefined) {
      expect(node.needs.some((need) => fromElsewhere.has(need)) || id.endsWith("decoder_agreement")).toBe(
        true,
      );
      return;
    }
    const operator = blockOf(section, "json operator");
    const judge =
      operator === undefined ? engine : operatedWith(JSON.parse(operator) as Record<string, unknown>);
    const parsed = parseLossless(request);
    const body = ValidateRequest.parse("value" in parsed ? parsed.value : undefined);
    const { results } = await validate(body, judge);
    const result = results[id];
    const outcome = result?.status === "SKIP" ? String(result.details["skip_kind"]) : result?.status;
    expect(outcome, result?.reasoning).toBeOneOf([...outcomes]);
  });
});

describe("a folder of checks in which something is missing", () => {
  const copy = async (): Promise<string> => {
    const folder = mkdtempSync(path.join(scratch, "copy-"));
    // Under the sources, so that the copies find what they import.
    await mkdir(path.join(folder, "nodes"));
    await cp(import.meta.dirname, path.join(folder, "nodes"), { recursive: true });
    for (const file of ["node.ts", "facts.ts", "effects.ts", "simulation.ts"])
      await cp(path.join(import.meta.dirname, "..", file), path.join(folder, file));
    return path.join(folder, "nodes");
  };
  test.each([
    ["check", "legal_compliance/chain_allowed.ts", "nodes/legal_compliance/chain_allowed.ts"],
    ["page", "legal_compliance/chain_allowed.md", "nodes/legal_compliance/chain_allowed.md is missing"],
    ["test", "legal_compliance/chain_allowed.test.ts", "nodes/legal_compliance/chain_allowed.ts has no test"],
  ])("is refused by name: a %s", async (_kind, file, says) => {
    const folder = await copy();
    await rm(path.join(folder, file));
    await expect(loadNodes(folder)).rejects.toThrow(says);
  });
  test("is refused by name: a line of the catalogue", async () => {
    const folder = await copy();
    const at = path.join(folder, "catalogue.json");
    const catalogue = JSON.parse(readFileSync(at, "utf8")) as Catalogue;
    writeFileSync(at, JSON.stringify({ ...catalogue, checks: catalogue.checks.slice(1) }));
    await expect(loadNodes(folder)).rejects.toThrow(
      "intent_alignment.action_match is not in nodes/catalogue.json",
    );
  });
});
