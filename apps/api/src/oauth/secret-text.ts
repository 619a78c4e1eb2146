import { createHash, randomBytes } from "node:crypto";

/** 256 bits of chance as 43 characters: a code, a refresh token, the mark of a browser. */
export const makeSecretText = (): string => randomBytes(32).toString("base64url");

/** All that is kept of one. */
export const hashOfSecret = (text: string): Buffer => createHash("sha256").update(text).digest();
