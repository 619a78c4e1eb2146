import { webErrors } from "./errors.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Throws unless a page of ours asks. Another page cannot send our header without asking first, and no answer of ours ever
 * says that it may; browsers that say where a call comes from are believed as well.
 */
export function checkIsOwnPage(headers: Headers): void {
  const site = headers["sec-fetch-site"];
  if (headers["x-countersign-page"] !== "1") throw webErrors.foreignPage();
  if (site !== undefined && site !== "same-origin") throw webErrors.foreignPage();
}
