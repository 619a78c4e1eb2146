/** Control of a Safe, in six languages: who comes, who goes, how many must sign. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, B, lexicon } from "../../test/words.ts";

const S = "0x3333333333333333333333333333333333333333";
const P = "0x4444444444444444444444444444444444444444";

const said = (text: string): string => {
  const [step, ...more] = readWords(text, lexicon).steps;
  const { kind = "", party = null, replaced = null, threshold = null } = step?.admin ?? {};
  const name = (one: typeof party): string => (one?.kind === "address" ? one.address : "-");
  return [kind, name(party), name(replaced), threshold?.value ?? "-", more.length].join(" ");
};

describe("an owner is added with the threshold that was named", () => {
  test.each([
    `Add ${A} as an owner of our Safe ${S} and set the threshold to 3.`,
    `Añade a ${A} como firmante de la Safe ${S} y deja el umbral en 3`,
    `Adicione ${A} como signatário da Safe ${S}, limiar 3`,
    `Ajoute ${A} aux signataires de la Safe ${S}, seuil fixé à 3`,
    `Füge ${A} als Unterzeichner der Safe ${S} hinzu, Schwelle 3`,
    `把 ${A} 加为 Safe ${S} 的签名人，门槛设为 3`,
  ])("%s", (text) => {
    expect(said(text)).toBe(`add_owner ${A} - 3 0`);
  });
});

describe("of two who change places it is known who comes and who goes", () => {
  test.each([
    `Replace signer ${A} by ${B} on Safe ${S} (linked-list predecessor is ${P}).`,
    `Rotate owner ${A} -> ${B} on ${S}`,
    `Ersetze in der Safe ${S} den Unterzeichner ${A} durch ${B} (Vorgänger in der Liste: ${P})`,
    `将 Safe ${S} 的签名人 ${A} 替换为 ${B}`,
  ])("%s", (text) => {
    expect(said(text)).toBe(`swap_owner ${B} ${A} - 0`);
  });
});

describe("a threshold alone", () => {
  test.each([
    [`Safe housekeeping: raise the signing threshold of ${S} to 4.`, 4],
    [`Aumente o limite de assinaturas da Safe ${S} para 3`, 3],
    ["Set the threshold to 2 of 3", 2],
  ])("%s", (text, count) => {
    expect(said(text)).toBe(`change_threshold - - ${count} 0`);
  });
});

test("another request or refusal leaves no such reading", () => {
  for (const text of [
    `Add ${A} as an owner of Safe ${S} and send 5 USDC to ${B}`,
    `Don't add ${A} as an owner of Safe ${S}`,
    `Add ${A} and ${B} as owners of Safe ${S}, threshold 3`,
  ])
    expect(said(text)).not.toBe(`add_owner ${A} - 3 0`);
});

test("the account and the neighbour in the list stay open for the bytes to answer", () => {
  const { tokens } = readWords(`Replace signer ${A} by ${B} on Safe ${S} (predecessor is ${P})`, lexicon);
  expect(tokens.filter(({ slot }) => slot === null).map(({ text }) => text)).toEqual([S, P]);
});

describe("a Safe by the caller's label is where it happens, and must be the one that acts", () => {
  const read = (text: string) => readWords(text, lexicon, ["Treasury Safe"]).steps[0];
  test.each([
    [`Add ${A} as an owner of the Treasury Safe and keeps the threshold at 3.`, "add_owner", 3n],
    [`Make ${A} an owner of the Treasury Safe; keep 3 required signatures.`, "add_owner", 3n],
    [
      "Sign the Safe transaction that changes the signing threshold of the Treasury Safe to 4.",
      "change_threshold",
      4n,
    ],
    ["Please update the Treasury Safe so that 4 signatures are required.", "change_threshold", 4n],
    ["Cambia el umbral de la Treasury Safe a 4.", "change_threshold", 4n],
  ])("%s", (text, kind, threshold) => {
    const step = read(text);
    expect(step?.admin?.kind).toBe(kind);
    expect(step?.admin?.threshold?.value).toBe(threshold);
    expect(step?.from).toMatchObject({ kind: "contact", label: "Treasury Safe" });
  });
  test("a question about it asks for nothing", () => {
    expect(
      readWords("Should the Treasury Safe require 4 confirmations?", lexicon).notARequest,
    ).not.toBeNull();
  });
});
