import { expect, test } from "vitest";
import { cellOf } from "./matrix-reporter.ts";

test("a test fills the cell of its app, its endpoint and the status it is named by", () => {
  expect(cellOf("/x/apps/api/src/health/routes.db.test.ts", ["GET /health", "200: is well"])).toBe(
    "apps/api: GET /health 200",
  );
  expect(cellOf("apps/api/src/a.test.ts", ["outer", "POST /a/{id}", "404: is not there"])).toBe(
    "apps/api: POST /a/{id} 404",
  );
  expect(cellOf("apps/api/src/a.test.ts", ["POST /a with a file", "201: is kept"])).toBe(
    "apps/api: POST /a 201",
  );
});

test.each([
  ["outside an app", "packages/platform/src/a.test.ts", ["GET /health", "200: is well"]],
  ["without an endpoint", "apps/api/src/a.test.ts", ["health", "200: is well"]],
  ["without a status", "apps/api/src/a.test.ts", ["GET /health", "is well"]],
])("a test %s fills none", (_, file, names) => {
  expect(cellOf(file, names)).toBeUndefined();
});
