// The random rules at full size.
import "./expressions.test.ts";
