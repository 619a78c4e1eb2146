import { webErrors } from "./errors.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Throws unless one of our pages sent the request. Other origins cannot send the custom header without a CORS preflight, which
 * is never allowed; Sec-Fetch-Site is checked as well.
 */
export function checkIsOwnPage(headers: Headers): void {
  const site = headers["sec-fetch-site"];
  if (headers["x-countersign-page"] !== "1") throw webErrors.foreignPage();
  if (site !== undefined && site !== "same-origin") throw webErrors.foreignPage();
}
