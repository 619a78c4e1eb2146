// Everything in the imported file at full size.
import "./describe.test.ts";
