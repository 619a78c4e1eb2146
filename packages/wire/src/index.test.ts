import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as envelope from "./envelope/index.ts";
import * as wire from "./index.ts";
import * as nudge from "./nudge.ts";

test("the doors offer exactly these", () => {
  expect(Object.keys(wire).sort()).toMatchInlineSnapshot(`
    [
      "TypedDataProblem",
      "attest",
      "decisionCodes",
      "domainOf",
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
      "mandateTypedData",
      "parseTypedData",
      "policyTypedData",
      "readAttestation",
      "recoverAttestationSigner",
      "shapes",
      "typedDataDefinition",
      "verdictOf",
      "verdictTypedData",
      "writeTypedData",
    ]
  `);
  expect(Object.keys(envelope).sort()).toMatchInlineSnapshot(`
    [
      "Content",
      "Envelope",
      "TypedDataField",
      "WholeContent",
      "cidOf",
      "digestOf",
      "digestOfCid",
      "hashContent",
      "isWhole",
      "maximumEnvelopeBytes",
      "proposalOf",
      "readContent",
      "readEnvelope",
      "writeContent",
      "writeEnvelope",
    ]
  `);
  expect(Object.keys(nudge)).toEqual(["Nudge"]);
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
  expect([...packages].sort()).toEqual(["canonicalize", "viem/utils"]);
  expect(seen.size).toBe(17);
});
