export { Report } from "./report.ts";
export { makeValidator, ValidatorBusy, type Question, type Validator } from "./validator.ts";
