/** Gets published lists. Used by the operator's command only: the service itself fetches nothing. */
export { fetchDocument, fetchList, SourceRefused } from "./fetch-list.ts";
