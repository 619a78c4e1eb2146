import { Problem, requestErrors, type ErrorFactory } from "../errors/index.ts";

const ofFramework: Readonly<Record<string, ErrorFactory>> = {
  FST_ERR_BAD_URL: requestErrors.invalid,
  FST_ERR_CTP_BODY_TOO_LARGE: requestErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: requestErrors.invalid,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: requestErrors.unsupportedMediaType,
};

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

/** Whatever was thrown, as an error from a closed list. What we did not foresee is our fault: a 500 that tells nothing. */
export function explainError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error instanceof Error ? ofFramework[codeOf(error)] : undefined;
  return known === undefined ? requestErrors.internal({ cause: error }) : known({ cause: error });
}
