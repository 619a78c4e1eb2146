import { Problem, requestErrors, type ErrorFactory } from "../errors/index.ts";

const ofFramework: Readonly<Record<string, ErrorFactory>> = {
  FST_ERR_BAD_URL: requestErrors.invalid,
  FST_ERR_CTP_BODY_TOO_LARGE: requestErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: requestErrors.invalid,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: requestErrors.unsupportedMediaType,
};

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

/** Maps any thrown value to an error of the closed list. An unexpected error becomes a 500 without details. */
export function explainError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const known = error instanceof Error ? ofFramework[codeOf(error)] : undefined;
  return known === undefined ? requestErrors.internal({ cause: error }) : known({ cause: error });
}
