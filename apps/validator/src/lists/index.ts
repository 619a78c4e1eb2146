/** Lists of addresses and the operator's policy. */
export { loadLists } from "./load-lists.ts";
