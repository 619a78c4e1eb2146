import { randomBytes } from "node:crypto";
import { sha256 } from "../platform/sha256.ts";

/** 256 random bits as 43 characters: a code, a refresh token, the browser cookie. */
export const makeSecretText = (): string => randomBytes(32).toString("base64url");

/** The stored form. */
export const hashOfSecret = sha256;
