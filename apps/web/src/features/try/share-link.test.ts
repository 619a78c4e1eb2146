import { expect, test } from "vitest";
import { nothingEntered } from "./read-form.ts";
import { enteredIn, fragmentOf } from "./share-link.ts";

const entered = { ...nothingEntered, words: "Send 1 ETH to שלום \u202E🦊", to: "0x12", value: "0.5" };

test("reads the form that it wrote", () => {
  expect(fragmentOf(entered)).toMatch(/^#1\.[\w-]+$/);
  expect(enteredIn(fragmentOf(entered))).toEqual(entered);
});

test.each(["", "#content", "#1.", "#1.%%%", "#2.e30", `#1.${btoa("null")}`, `#1.${btoa("[1")}`])(
  "ignores a fragment that is not a form: %s",
  (fragment) => {
    expect(enteredIn(fragment)).toBeUndefined();
  },
);

test("takes only text from a form of another version", () => {
  expect(enteredIn(`#1.${btoa('{"words":5,"to":"0x1","more":true}')}`)).toEqual({
    ...nothingEntered,
    to: "0x1",
  });
});
