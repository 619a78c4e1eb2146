import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { Problem } from "./define-errors.ts";
import { requestErrors } from "./request-errors.ts";

/**
 * How one kind of client is told about an error. Each surface has exactly one renderer, and nothing else writes an
 * error body.
 */
export type Surface = {
  readonly name: string;
  /** Which status a request that does not fit its schema gets. */
  readonly invalidStatus: 400 | 422;
  /** Codes of other refusals that its specification knows only as an invalid request. */
  readonly alsoInvalid?: readonly string[];
  readonly schema: z.ZodType;
  readonly render: (problem: Told) => unknown;
  /** For those who come with a browser and would be shown JSON otherwise: a whole HTML document. */
  readonly renderPage?: (problem: Told) => string;
};

/** The part of an error that may be shown to clients. */
type Told = Pick<Problem, "code" | "status" | "message">;

/** The main service's body, exactly as its specification has it. */
export const restSurface: Surface = {
  name: "rest",
  invalidStatus: 400,
  schema: z.object({ statusCode: z.number().int(), message: z.string(), error: z.string() }).meta({
    id: "Error",
    description: "Every error of the service. The stable code is in the X-Error-Code header.",
  }),
  render: ({ status, message }) => ({ statusCode: status, message, error: STATUS_CODES[status] ?? "Error" }),
};

/** The validation service's body. */
export const detailSurface: Surface = {
  name: "detail",
  invalidStatus: 422,
  alsoInvalid: [requestErrors.bodyTooLarge.code, requestErrors.unsupportedMediaType.code],
  schema: z.object({ detail: z.string() }).meta({ id: "Error", description: "Every error of the service." }),
  render: ({ message }) => ({ detail: message }),
};
