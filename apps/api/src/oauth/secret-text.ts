import { randomBytes } from "node:crypto";
import { sha256 } from "../platform/sha256.ts";

/** 256 bits of chance as 43 characters: a code, a refresh token, the mark of a browser. */
export const makeSecretText = (): string => randomBytes(32).toString("base64url");

/** All that is kept of one. */
export const hashOfSecret = sha256;
