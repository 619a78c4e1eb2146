// The JSON schemas of a tool as clients see them, generated once from the schemas that the endpoints parse with.
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Inlines definitions: many clients pass a schema to a model as it is and do not resolve references. */
function inline(value: unknown, definitions: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, definitions));
  if (!isJson(value)) return value;
  const { $ref, $defs: _, $schema: __, ...rest } = value;
  const referred = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : undefined;
  const whole = isJson(referred) ? { ...referred, ...rest } : rest;
  return Object.fromEntries(
    Object.entries(whole)
      // Drops the definition's name. A property called `id` is an object and stays.
      .filter(([name, member]) => name !== "id" || isJson(member))
      .map(([name, member]) => [name, inline(member, definitions)]),
  );
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const made = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // The format says it. The pattern would add hundreds of characters to each model's context.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      // Answers may gain members, which a client with a cached schema must accept.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  }) as Json;
  return inline(made, isJson(made["$defs"]) ? made["$defs"] : {}) as Json;
}

/** Descriptions of the arguments for the agent. Dotted names reach into an object. */
export type Descriptions = Readonly<Record<string, string>>;

function describe(schema: Json, descriptions: Descriptions): Json {
  for (const [name, description] of Object.entries(descriptions)) {
    let place: unknown = schema;
    for (const step of name.split("."))
      place =
        isJson(place) && isJson(place["properties"])
          ? (place["properties"] as Readonly<Record<string, unknown>>)[step]
          : undefined;
    if (!isJson(place)) throw new Error(`no such argument: ${name}`);
    place["description"] = description;
  }
  return schema;
}

/** Advertised but not used for parsing: the tool parses, so that a rejection has our message and code. */
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

/** Advertised, and every answer is validated against it. */
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
