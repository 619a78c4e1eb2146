/** Lists of addresses and the operator's policy. */
export { loadLists, readListFiles, type Lists } from "./load-lists.ts";
