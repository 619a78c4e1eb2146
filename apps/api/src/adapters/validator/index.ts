export { Description } from "./description.ts";
export { Report } from "./report.ts";
export { makeValidator, ValidatorBusy, type Question, type ToDescribe, type Validator } from "./validator.ts";
