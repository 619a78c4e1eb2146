import { describe, expect, test } from "vitest";
import { payment } from "../../test/some-requests.ts";
import { startEngine } from "../../test/real-engine.ts";
import { aList } from "../../test/nodes.ts";
import type { Engine } from "./engine.ts";
import { validate } from "./validate.ts";
import { parseLossless, ValidateRequest } from "../request/index.ts";

const { engine } = await startEngine();
const parsed = parseLossless(JSON.stringify(payment));
const request = ValidateRequest.parse("value" in parsed ? parsed.value : undefined);
const check = (sanctions: Engine["lists"]["sanctions"], requireSanctions: boolean, given = request) =>
  validate(given, { ...engine, lists: { ...engine.lists, sanctions }, requireSanctions });

describe("a sanctions list that the operator requires", () => {
  test.each([
    ["is fresh", aList(), "PASS", "entailed"],
    ["is stale", aList([], false), "REJECT", "not_checked"],
    ["is absent", null, "REJECT", "not_checked"],
  ])("%s", async (_, list, decision, kind) => {
    const verdict = await check(list, true);
    expect(verdict).toMatchObject({ decision, assessment: { kind } });
    expect(verdict.assessment.missing.map(({ what }) => what)).toEqual(decision === "PASS" ? [] : ["list"]);
  });

  test("is stale and not required: the verdict says that it was not checked, and passes", async () => {
    const { decision, assessment, context } = await check(aList([], false), false);
    expect([decision, assessment.kind]).toEqual(["PASS", "entailed"]);
    expect(context["not_checked"]).toContainEqual(
      expect.objectContaining({ node: "legal_compliance.sanctioned_address", kind: "stale_data" }),
    );
  });

  test("is stale: a difference stays a difference", async () => {
    const other = { ...request, human_intent: request.human_intent.replace("0.1", "0.2") };
    expect((await check(aList([], false), true, other)).assessment.kind).toBe("contradicted");
  });
});
