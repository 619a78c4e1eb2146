/** Lists of addresses and the operator's policy. */
export { readContractFile, type ContractFile } from "./contracts/contract-file.ts";
export { isShownText } from "./contracts/shown-text.ts";
export { keepLists, type ListKeeper } from "./keep-lists.ts";
export {
  listKinds,
  maxListBytes,
  notJson,
  readListFile,
  readPublished,
  secondsOf,
  writeListFile,
  type Fault,
  type List,
  type ListKind,
  type Published,
} from "./list-file.ts";
export {
  openSnapshot,
  readLists,
  readSnapshot,
  type FoundList,
  type Lists,
  type Snapshot,
} from "./load-lists.ts";
export { readListKey, type ListKey } from "./minisign.ts";
export { secondsLeft } from "./packed-list.ts";
