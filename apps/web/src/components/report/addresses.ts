// Finds addresses in text, and look-alikes among them.
import type { CallNode, ReadReport } from "@countersign/sdk/report";

const address = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;

export type SaidPiece = { readonly kind: "text" | "address"; readonly text: string };

/** Splits a text so that each address in it can be expanded. */
export function splitAddresses(text: string): readonly SaidPiece[] {
  const pieces: SaidPiece[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    if (index > at) pieces.push({ kind: "text", text: text.slice(at, index) });
    pieces.push({ kind: "address", text: found });
    at = index + found.length;
  }
  return at < text.length ? [...pieces, { kind: "text", text: text.slice(at) }] : pieces;
}

const called = ({ to, children }: CallNode): readonly string[] => [
  ...(to === null ? [] : [to]),
  ...children.flatMap(called),
];

/** Returns every address in the request, the transaction and the report. */
export function addressesInPlay(
  words: string,
  to: string | null,
  report: ReadReport | undefined,
): readonly string[] {
  const said = report === undefined ? "" : JSON.stringify([report.effects, report.net, report.issues]);
  return [
    ...(to === null ? [] : [to]),
    ...(report?.calls.flatMap(called) ?? []),
    ...[...`${words} ${said}`.matchAll(address)].map(([found]) => found),
  ];
}

/** Groups different addresses that share their first and last four digits, which is what people compare. */
export function lookAlikes(addresses: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>();
  for (const one of addresses.map((written) => written.toLowerCase())) {
    const ends = `${one.slice(2, 6)}…${one.slice(-4)}`;
    groups.set(ends, (groups.get(ends) ?? new Set()).add(one));
  }
  return [...groups.values()].filter(({ size }) => size > 1).map((group) => [...group]);
}
