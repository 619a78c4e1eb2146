export type { CustodySenders } from "./senders.ts";
