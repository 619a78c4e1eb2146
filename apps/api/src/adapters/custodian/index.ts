export type { Access } from "./access.ts";
export { makeCustodian, type Custodian } from "./custodian.ts";
