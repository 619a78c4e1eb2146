import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ContactName, ContactNote, nameKeyOf } from "./contact-text.ts";

describe("a name", () => {
  test.each([
    ["Alice Moreau", "Alice Moreau"],
    ["  Café   du  Nord ", "Café du Nord"],
    ["Cafe\u0301", "Café"],
    ["株式会社", "株式会社"],
    ["محمد", "محمد"],
    ["7", "7"],
    ["a".repeat(60), "a".repeat(60)],
  ])("%j becomes %j", (written, stored) => {
    expect(ContactName.parse(written)).toBe(stored);
  });

  test.each([
    ["nothing", ""],
    ["spaces only", "   "],
    ["no letter or digit", "—!"],
    ["a line break", "Ali\nce"],
    ["a tab", "Ali\tce"],
    ["a control character", "Ali\u0007ce"],
    ["a direction override", "Ali\u202Ece"],
    ["an isolate", "Ali\u2066ce"],
    ["a zero-width space", "Ali\u200Bce"],
    ["a zero-width joiner", "Ali\u200Dce"],
    ["a byte order mark", "\uFEFFAlice"],
    ["a soft hyphen", "Ali\u00ADce"],
    ["a variation selector", "Alice\uFE0F"],
    ["a Hangul filler", "\u3164Alice"],
    ["a tag character", "Alice\u{E0041}"],
    ["a braille blank", "Alice\u2800"],
    ["a line separator", "Alice\u2028Bob"],
    ["a private character", "Alice\uE000"],
    ["stacked marks", "a\u0301\u0302\u0303\u0304\u0305"],
    ["an address", "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"],
    ["the start of an address", "Pay 0x742d…"],
    ["the start of an address in full width", "０ｘ７４２ｄ"],
    ["61 characters", "a".repeat(61)],
    ["no text", 7],
  ])("with %s is rejected", (_, written) => {
    expect(ContactName.safeParse(written).success).toBe(false);
  });

  test("that is accepted contains nothing invisible, and stays as it is when it is saved again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (written) => {
        const read = ContactName.safeParse(written);
        if (!read.success) return;
        expect(read.data).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u);
        expect(ContactName.parse(read.data)).toBe(read.data);
      }),
    );
  });
});

test.each([
  ["Alice", "ALICE"],
  ["Straße", "STRASSE"],
  ["Ａｌｉｃｅ", "alice"],
  ["ﬁrm", "Firm"],
  ["ΟΔΟΣ", "οδος"],
  ["a b", "a\u00A0b"],
])("%j and %j are the same name", (one, other) => {
  expect(nameKeyOf(one)).toBe(nameKeyOf(other));
});

test("different names have different keys", () => {
  expect(nameKeyOf("Alice")).not.toBe(nameKeyOf("Alicia"));
});

test.each([
  [undefined, null],
  [null, null],
  ["  ", null],
  [" Invoice  12 ", "Invoice 12"],
])("the note %j becomes %j", (written, stored) => {
  expect(ContactNote.parse(written)).toBe(stored);
});

test.each(["a".repeat(201), "a\u202Eb", "a\nb", 5])("the note %j is rejected", (written) => {
  expect(ContactNote.safeParse(written).success).toBe(false);
});
