export { defineErrors, Problem, type ErrorFactory } from "./define-errors.ts";
export { requestErrors } from "./request-errors.ts";
export { detailSurface, restSurface, type Surface } from "./surfaces.ts";
