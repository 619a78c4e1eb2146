/** Lists of addresses and the operator's policy. */
export { loadLists, type Lists } from "./load-lists.ts";
