import { describe, expect, test } from "vitest";
import { writePythonClient } from "./python-client.ts";
import { defineSchema, docstring, typeOf, type Schema } from "./python-schema.ts";

function definitionsOf(name: string, schema: Schema): readonly string[] {
  const found = new Map<string, string>();
  defineSchema(name, schema, (one, definition) => found.set(one, definition));
  return [...found.values()];
}

describe("typeOf", () => {
  test.each<[Schema, string]>([
    [{ type: "string" }, "str"],
    [{ type: "integer" }, "int"],
    [{ type: "number" }, "float"],
    [{ type: ["string", "null"] }, "str | None"],
    [{ anyOf: [{ $ref: "#/components/schemas/Mandate" }, { type: "null" }] }, "Mandate | None"],
    [{ enum: ["a", 1, true, null] }, 'Literal["a", 1, True, None]'],
    [{ const: "orion" }, 'Literal["orion"]'],
    [{ type: "array", items: { type: "boolean" } }, "list[bool]"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "dict[str, int]"],
    [{ type: "object" }, "dict[str, Any]"],
    [{}, "Any"],
  ])("writes %o as %s", (schema, type) => {
    expect(typeOf(schema, "Name", () => expect.unreachable())).toBe(type);
  });
});

describe("defineSchema", () => {
  test("writes a class for each object, named after its place", () => {
    const items = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const schema = {
      type: "object",
      description: "A list.",
      properties: { all: { type: "array", items, description: "Newest first." } },
    } as const;
    expect(definitionsOf("Page", schema)).toEqual([
      "class PageAllItem(TypedDict):\n    id: str",
      'class Page(TypedDict):\n    """A list."""\n\n    # Newest first.\n    all: NotRequired[list[PageAllItem]]',
    ]);
  });

  test("writes a call if a member is a keyword or no identifier", () => {
    const properties = { from: { enum: ["a"] }, "x-y": { type: "string" } };
    expect(definitionsOf("Range", { type: "object", properties, required: ["from"] })).toEqual([
      'Range = TypedDict(\n    "Range",\n    {\n        "from": \'Literal["a"]\',\n        "x-y": NotRequired["str"],\n    },\n)',
    ]);
  });

  test("keeps lines within 100 characters", () => {
    const values = Array.from({ length: 40 }, (_, index) => `VALUE_${index}`);
    const schema = {
      type: "object",
      properties: { phase: { enum: values, description: "word ".repeat(60) } },
    };
    const [definition = ""] = definitionsOf("Long", schema);
    expect(Math.max(...definition.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(definition.match(/VALUE_\d+/g)).toEqual(values);
  });
});

test("a docstring ends where it should", () => {
  expect(docstring('Say "hi" \\ bye.', "")).toBe('"""Say \'hi\' \\\\ bye."""');
});

describe("writePythonClient", () => {
  const answer = (schema: Schema) => ({ content: { "application/json": { schema } } });
  const generate = (paths: object, schemas: object = {}): string =>
    Object.values(
      writePythonClient({
        "docs/reference/openapi.api.json": JSON.stringify({ paths, components: { schemas } }),
      }),
    ).join("\n");
  const operation = { operationId: "getThing", summary: "Get it", responses: { 200: answer({}) } };

  test("writes a method for an endpoint that is open or takes an API key, and for no other", () => {
    const text = generate({
      "/a/{thingId}": { get: operation },
      "/b": { get: { ...operation, operationId: "getKeyed", security: [{ jwt: [] }, { apiKey: [] }] } },
      "/c": { get: { ...operation, operationId: "getOwned", security: [{ jwt: [] }] } },
      "/d": {
        get: {
          ...operation,
          operationId: "getStream",
          responses: { 200: { content: { "text/event-stream": {} } } },
        },
      },
      "/internal/e": { get: { ...operation, operationId: "getInternal" } },
    });
    expect(text.match(/def get_\w+/g)).toEqual(["def get_thing", "def get_keyed"]);
  });

  test("refuses two types of one name", () => {
    const object = (member: string): Schema => ({ type: "object", properties: { [member]: {} } });
    expect(() =>
      generate({}, { A: { type: "object", properties: { b: object("x") } }, AB: object("y") }),
    ).toThrow("two Python types are called AB");
  });

  test("needs the document of the main service", () => {
    expect(() => writePythonClient({})).toThrow("api has published no document");
  });
});
