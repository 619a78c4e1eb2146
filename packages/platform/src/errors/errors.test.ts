import { expect, test } from "vitest";
import { defineErrors, detailSurface, restSurface } from "./index.ts";

const errors = defineErrors("orders", { notYours: { status: 403, message: "Not yours" } });

test("gives each error a stable code made of slice and name", () => {
  expect(errors.notYours.code).toBe("orders.not-yours");
  expect(errors.notYours().code).toBe("orders.not-yours");
});

test("keeps details and cause apart from the public message", () => {
  const cause = new Error("row 7");
  const problem = errors.notYours({ details: { key: "7" }, cause });
  expect(problem.message).toBe("Not yours");
  expect(problem.cause).toBe(cause);
  expect(restSurface.render(problem)).toEqual({ statusCode: 403, message: "Not yours", error: "Forbidden" });
});

test("renders the validator's body for the validator's surface", () => {
  expect(detailSurface.render(errors.notYours())).toEqual({ detail: "Not yours" });
});
