import { randomBytes } from "node:crypto";
import { answersS256, sha256 } from "../platform/sha256.ts";
import { printable } from "../platform/printable.ts";

const userAgentLength = 256;

/** 128 random bits. Anyone who has the code can fetch the key, so it is not stored. */
export const makeCode = (): string => randomBytes(16).toString("hex");

export const isWellFormedCode = (code: string): boolean => /^[0-9a-f]{32}$/.test(code);

/** Returns the stored form of a code. */
export const hashOfCode = (code: string): Buffer => sha256(code);

/** Returns the part that the page shows, to compare with the agent's screen. */
export const prefixOf = (code: string): string => code.slice(0, 4);

/** PKCE with S256. Without a challenge there is nothing to prove. */
export function answersChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return true;
  // Computed also without a verifier, so that a missing one takes as long as a wrong one.
  const isAnswered = answersS256(challenge, verifier ?? "");
  return verifier !== undefined && isAnswered;
}

export const presentable = (userAgent: string): string => printable(userAgent, userAgentLength);
