import { webhookErrors } from "./errors.ts";

/** Whether the service may post to a URL, before its name is resolved. */
export type IsUrlAllowed = (url: URL) => boolean;

/** Throws unless the text is a URL that a webhook may have. */
export function checkUrl(target: string, isUrlAllowed: IsUrlAllowed): void {
  const url = URL.parse(target);
  if (url === null || !isUrlAllowed(url)) throw webhookErrors.urlNotAllowed();
  if (url.username !== "" || url.password !== "" || url.hash !== "") throw webhookErrors.urlNotAllowed();
}
