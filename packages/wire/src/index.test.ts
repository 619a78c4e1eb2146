import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as envelope from "./envelope/index.ts";
import * as wire from "./index.ts";
import * as nudge from "./nudge.ts";

test("the doors offer exactly these", () => {
  expect(Object.keys(wire).sort()).toMatchInlineSnapshot(`
    [
      "attest",
      "decisionCodes",
      "domainOf",
      "hashData",
      "hashIntent",
      "hashMandate",
      "hashProposal",
      "hashReport",
      "hashSealedProposal",
      "hashVerdict",
      "intentTypedData",
      "mandateTypedData",
      "readAttestation",
      "recoverAttestationSigner",
      "verdictTypedData",
    ]
  `);
  expect(Object.keys(envelope).sort()).toMatchInlineSnapshot(`
    [
      "Content",
      "Envelope",
      "WholeContent",
      "cidOf",
      "digestOf",
      "digestOfCid",
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
  expect(seen.size).toBe(10);
});
