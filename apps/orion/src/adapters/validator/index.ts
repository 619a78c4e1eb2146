export {
  makeValidator,
  type Judgement,
  type Report,
  type Validator,
  type ValidatorQuestion,
} from "./validator.ts";
