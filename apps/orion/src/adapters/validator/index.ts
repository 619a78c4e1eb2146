export {
  makeValidator,
  type ValidatorAnswer,
  type Report,
  type Validator,
  type ValidatorQuestion,
} from "./validator.ts";
