export { Report } from "./report.ts";
export { makeValidator, type Question, type Validator } from "./validator.ts";
