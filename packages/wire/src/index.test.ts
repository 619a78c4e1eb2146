import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as envelope from "./envelope/index.ts";
import * as wire from "./index.ts";
import * as nudge from "./nudge.ts";
import * as receipt from "./receipt.ts";
import * as signedCalls from "./signed-calls/index.ts";

test("the doors offer exactly these", () => {
  expect(Object.keys(wire).sort()).toMatchInlineSnapshot(`
    [
      "TypedDataProblem",
      "attest",
      "decisionCodes",
      "domainOf",
      "entryPoints",
      "findBreaches",
      "hashData",
      "hashIntent",
      "hashMandate",
      "hashPayload",
      "hashPolicy",
      "hashProposal",
      "hashReport",
      "hashSealedProposal",
      "hashShapedProposal",
      "hashTypedData",
      "hashVerdict",
      "intentTypedData",
      "isFor",
      "largestFee",
      "mandateTypedData",
      "maximumCalls",
      "maximumMessageLength",
      "originOf",
      "packUserOperation",
      "parseAuthorizationList",
      "parseCalls",
      "parseMessage",
      "parsePayload",
      "parseSafeTransaction",
      "parseTypedData",
      "parseUserOperation",
      "policyTypedData",
      "readAttestation",
      "readBounds",
      "recoverAttestationSigner",
      "registrationProof",
      "registrationRoot",
      "registrationRootFrom",
      "safeTypedData",
      "shapes",
      "typedDataDefinition",
      "verdictOf",
      "verdictTypedData",
      "writeTypedData",
    ]
  `);
  expect(Object.keys(receipt).sort()).toEqual(
    Object.keys(receipt)
      .filter((name) => name in wire)
      .sort(),
  );
  expect(Object.keys(signedCalls).sort()).toEqual([
    "isMultiSend",
    "readMultiSend",
    "signedCalls",
    "userOperationCall",
  ]);
  expect(Object.keys(envelope).sort()).toMatchInlineSnapshot(`
    [
      "AuthorizationListField",
      "CallsField",
      "Content",
      "Envelope",
      "MessageField",
      "SafeTransactionField",
      "TypedDataField",
      "UserOperationField",
      "WholeContent",
      "cidOf",
      "digestOf",
      "digestOfCid",
      "hashContent",
      "isWhole",
      "maximumEnvelopeBytes",
      "maximumRegistrations",
      "payloadIn",
      "proposalOf",
      "readContent",
      "readEnvelope",
      "readRegistrations",
      "writeContent",
      "writeEnvelope",
      "writeRegistrations",
    ]
  `);
  expect(Object.keys(nudge)).toEqual(["Nudge", "maximumNudges", "Nudges", "RootNudge"]);
});

test("the main door leans on viem's pure part and the RFC 8785 serializer alone", () => {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, "utf8");
    for (const [, kind = "", from = ""] of source.matchAll(
      /^(?:import|export) (type )?[^;]*? from "([^"]+)";/gm,
    )) {
      if (from.startsWith(".")) visit(join(file, "..", from));
      else if (kind === "") packages.add(from);
    }
  };
  visit(join(import.meta.dirname, "index.ts"));
  expect([...packages].sort()).toEqual(["#keccak", "canonicalize", "viem/utils"]);
  expect(seen.size).toBe(28);
});
