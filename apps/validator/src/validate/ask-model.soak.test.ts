// Everything in the imported file at full size.
import "./ask-model.test.ts";
