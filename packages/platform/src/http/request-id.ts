import { randomUUID } from "node:crypto";

const wellFormed = /^[\w.-]{1,128}$/;

/** The caller's X-Request-Id if it is harmless to log and to echo, else a new one. Made for every request, kept in no index. */
export const requestIdFrom = (header: string | readonly string[] | undefined): string =>
  typeof header === "string" && wellFormed.test(header) ? header : randomUUID();
