import { expect, test } from "vitest";
import { loadCedar } from "./cedar.ts";
import { readPolicy } from "./rules.ts";
import { templates } from "./templates.ts";

test.each(templates.map((template) => [template.id, template] as const))(
  "the template %s is a valid rule with its own id",
  async (id, { text }) => {
    const read = readPolicy(await loadCedar(), text);
    expect(read).toMatchObject({ rules: [{ id }] });
  },
);
