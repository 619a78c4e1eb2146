// Reads what a proposal of version 2 has to sign. Only receipts of that version need it, so it is loaded when one is verified.
import { hashPayload, hashShapedProposal, parsePayload, shapes } from "@countersign/wire";
import { hashReport, type Terms } from "@countersign/wire/receipt";
import type { Hex, Receipt } from "../types.ts";

export type SignedPayload = {
  readonly shape: string;
  /** The exact hash that is signed. */
  readonly signingHash: Hex;
  readonly requestHash: (
    home: { readonly chainId: number; readonly inbox: Hex },
    terms: Terms & { readonly userPrompt: string },
  ) => Hex;
};

/**
 * Returns the data to sign. Undefined if there is no such member. Throws on malformed data, and on another form of it than the one that
 * the service writes.
 */
export function readPayload(proposal: Partial<Receipt["proposal"]>): SignedPayload | undefined {
  const [given, ...others] = shapes.flatMap((shape) => {
    const json = proposal[shape] ?? null;
    return json === null ? [] : [{ shape, json }];
  });
  if (given === undefined) return undefined;
  if (others.length > 0) throw new Error("more than one payload");
  const { shape, json } = given;
  const payload = parsePayload(shape, json);
  if (hashReport(payload) !== hashReport({ shape, [shape]: json }))
    throw new Error("another form of the same data");
  return {
    shape,
    signingHash: hashPayload(payload),
    requestHash: (home, terms) => hashShapedProposal(home, { ...terms, payload }),
  };
}
