import { randomBytes } from "node:crypto";
import { answersS256, sha256 } from "../platform/sha256.ts";
import { printable } from "../platform/printable.ts";

const userAgentLength = 256;

/** 128 bits of chance. Who has it can fetch the key, so it is kept nowhere. */
export const makeCode = (): string => randomBytes(16).toString("hex");

export const isWellFormedCode = (code: string): boolean => /^[0-9a-f]{32}$/.test(code);

/** What is kept of a code. */
export const hashOfCode = (code: string): Buffer => sha256(code);

/** What the page shows, to compare with the agent's own screen. */
export const prefixOf = (code: string): string => code.slice(0, 4);

/** As in PKCE, S256. Without a challenge there is nothing to prove. */
export function answersChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return true;
  // Worked out without a verifier too: none costs what a wrong one does.
  const isAnswered = answersS256(challenge, verifier ?? "");
  return verifier !== undefined && isAnswered;
}

export const presentable = (userAgent: string): string => printable(userAgent, userAgentLength);
