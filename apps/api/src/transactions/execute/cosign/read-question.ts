// Authenticates a co-signer's request. Nothing in a token is trusted before its signature is verified.
import { createPublicKey } from "node:crypto";
import { jwtVerify, errors, type JWTPayload } from "jose";
import type { Clock } from "@countersign/platform/clock";
import { cosignErrors } from "./errors.ts";
import { parseQuestion, type Question } from "./question.ts";

const oldestSeconds = 300;
const fastestClockSeconds = 60;

type Reading = { readonly token: string; readonly publicKey: string | null; readonly clock: Clock };

/** Throws unless the token is fresh, signed with that key (SPKI in PEM), and contains a request. */
export async function readQuestion({ token, publicKey, clock }: Reading): Promise<Question> {
  if (publicKey === null)
    throw cosignErrors.unproven({ details: { reason: "the integration has no co-signer key" } });
  const now = clock.now();
  const claims = await verify(token.trim(), publicKey, now);
  if (!isFresh(claims, now.getTime() / 1000))
    throw cosignErrors.unproven({ details: { reason: "the token is too old, or from the future" } });
  const question = parseQuestion(claims);
  if (question === undefined) throw cosignErrors.malformed();
  return question;
}

async function verify(token: string, publicKey: string, currentDate: Date): Promise<JWTPayload> {
  try {
    const options = { algorithms: ["RS256"], currentDate, clockTolerance: fastestClockSeconds };
    return (await jwtVerify(token, createPublicKey(publicKey), options)).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw cosignErrors.unproven({ details: { reason: error.code } });
    throw error;
  }
}

/** Not every co-signer sends a timestamp. Replay protection does not depend on it. */
const isFresh = ({ iat }: JWTPayload, now: number): boolean =>
  iat === undefined || (iat >= now - oldestSeconds && iat <= now + fastestClockSeconds);
