// The schemas of a tool as clients are shown them: from the same schemas that the endpoints parse by, made once.
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Definitions put where they are used: many clients hand a schema to a model as it is, and follow no references. */
function inline(value: unknown, definitions: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, definitions));
  if (!isJson(value)) return value;
  const { $ref, $defs: _, $schema: __, ...rest } = value;
  const referred = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : undefined;
  const whole = isJson(referred) ? { ...referred, ...rest } : rest;
  return Object.fromEntries(
    Object.entries(whole)
      // The name that a definition went by; a property that is called so is an object.
      .filter(([name, member]) => name !== "id" || isJson(member))
      .map(([name, member]) => [name, inline(member, definitions)]),
  );
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const made = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // The format says it; the pattern would be hundreds of characters in each model's context.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      // Answers may gain members; a client that kept the schema must not refuse them.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  }) as Json;
  return inline(made, isJson(made["$defs"]) ? made["$defs"] : {}) as Json;
}

/** What the arguments are, in words for whoever fills them in. Dotted names reach into an object. */
export type Descriptions = Readonly<Record<string, string>>;

function describe(schema: Json, descriptions: Descriptions): Json {
  for (const [name, description] of Object.entries(descriptions)) {
    let place: unknown = schema;
    for (const step of name.split("."))
      place =
        isJson(place) && isJson(place["properties"])
          ? (place["properties"] as Readonly<Record<string, unknown>>)[step]
          : undefined;
    if (!isJson(place)) throw new Error(`no argument is called ${name}`);
    place["description"] = description;
  }
  return schema;
}

/** Shown, but not parsed by: the tool does that itself, so that a refusal has our sentence and our code. */
export function advertiseInput(schema: z.ZodType, descriptions: Descriptions): StandardSchemaWithJSON {
  const json = describe(jsonSchemaOf(schema, "input"), descriptions);
  return {
    "~standard": {
      version: 1,
      vendor: "countersign",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** Shown, and every answer is held against it. */
export function advertiseOutput(schema: z.ZodType): StandardSchemaWithJSON {
  const json = jsonSchemaOf(schema, "output");
  return {
    "~standard": {
      version: 1,
      vendor: "countersign",
      validate: (value) => schema["~standard"].validate(value),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
