import { newId } from "../ids.ts";

const wellFormed = /^[\w.-]{1,128}$/;

/** The caller's X-Request-Id if it is harmless to log and to echo, else a new one. */
export const requestIdFrom = (header: string | readonly string[] | undefined): string =>
  typeof header === "string" && wellFormed.test(header) ? header : newId();
