export { statusOfPhase, type Phase, type Status } from "./lifecycle.ts";
