import { expect, test } from "vitest";
import { aLog } from "../../test/validate.ts";
import { defineNode, pass } from "../node.ts";
import { calm } from "../../test/nodes.ts";
import { runNodes } from "./2-run-nodes.ts";

const page = { title: "", sections: new Map<string, string>(), checks: "", remedy: "" };
const loaded = (
  check: () => ReturnType<typeof pass>,
  needs: readonly ("moves" | "prices" | "reading")[] = [],
) => ({
  id: "intent_alignment.test",
  family: "intent_alignment" as const,
  node: defineNode({ title: "A check", failTitle: "A failed check", severity: "high", needs, check }),
  page,
});

test("a check that breaks is a failure, and is logged by its name", () => {
  const { log, lines } = aLog();
  const broken = loaded(() => {
    throw new Error("oh");
  });
  expect(runNodes([broken], calm, log)[0]?.finding).toMatchObject({ status: "FAIL" });
  expect(lines()).toMatchObject([{ check: "intent_alignment.test", msg: "a check failed to complete" }]);
});

test("reports an inapplicable check before missing context", () => {
  const [ran] = runNodes([loaded(() => pass("Fine."), ["prices", "moves"])], {}, aLog().log);
  expect(ran?.finding).toMatchObject({ status: "SKIP", kind: "not_applicable" });
});

test("reports a failure of the engine before anything else", () => {
  const [ran] = runNodes([loaded(() => pass("Fine."), ["moves", "reading"])], {}, aLog().log);
  expect(ran?.finding).toMatchObject({ status: "SKIP", kind: "upstream_failed" });
});
