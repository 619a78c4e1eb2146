import { STATUS_CODES } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Surface } from "../errors/index.ts";
import type { Authenticator } from "./auth.ts";
import type { Limit } from "./limit.ts";
import { contentTypeOf, isBodiless, statusesOf, type Route } from "./route.ts";

type Json = Record<string, unknown>;
type Schema = Json & { $defs?: Record<string, Json>; id?: string; properties?: Json; required?: string[] };

/** A message that the service sends to a receiver. */
type SentMessage = {
  readonly name: string;
  readonly description: string;
  readonly tag: string;
  readonly body: z.ZodType;
};

export type DocumentOptions = {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly baseUrl: string;
  readonly routes: readonly Route[];
  readonly surface: Surface;
  readonly authenticators?: readonly Authenticator[];
  /** The messages that it sends, for the document. */
  readonly webhooks?: readonly SentMessage[];
};

const describePer = (per: Limit["per"]): string =>
  per === "ip" ? "IP" : "value" in per ? per.value : `${per.scheme} caller`;

export const describeLimit = ({ max, per, counts }: Limit): string =>
  `${max}/min per ${describePer(per)}${counts === undefined ? "" : ` for ${counts}`}`;

/** `GET /users/{ethereumAddress}` → `getUsersByEthereumAddress`. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  (path === "/" ? "-root" : path)
    .replace(/\{(\w+)\}/g, "by-$1")
    .replace(/[^a-zA-Z0-9]+([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase());

/** Removes details that only a validator needs: responses may gain members, and a pattern adds nothing to a format. */
function simplify({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema["contentType"];
}

/** Schemas with an id become components that are referred to by name; the others stand where they are used. */
function makeComponents() {
  const components: Record<string, Json> = {};
  const add = (id: string, schema: Json): void => {
    const known = components[id];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`two different schemas are called ${id}; give one of them another id`);
    components[id] = schema;
  };
  const refer = (schema: z.ZodType, io: "input" | "output"): Schema => {
    const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any", override: simplify }));
    const whole = JSON.parse(text.replaceAll("#/$defs/", "#/components/schemas/")) as Schema;
    const { $defs = {}, $schema: _, id, ...root } = whole;
    for (const [name, { id: _id, ...definition }] of Object.entries($defs)) add(name, definition);
    if (id === undefined) return root;
    add(id, root);
    return { $ref: `#/components/schemas/${id}` };
  };
  return { components, refer };
}

type Refer = ReturnType<typeof makeComponents>["refer"];

function describeParameters(route: Route, refer: Refer): readonly Json[] {
  const places = [
    ["path", route.params],
    ["query", route.query],
  ] as const;
  return places.flatMap(([place, schema]) => {
    const { properties = {}, required = [] } = schema === undefined ? {} : refer(schema, "input");
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: property,
    }));
  });
}

const challengeHeader = {
  "WWW-Authenticate": {
    description: "One challenge for each credential that the endpoint accepts.",
    schema: { type: "string" },
  },
};

function describeAnswers(route: Route, surface: Surface, refer: Refer): Record<string, Json> {
  const errorBody = refer((route.surface ?? surface).schema, "output");
  const answers = statusesOf(route, surface).map((status): [string, Json] => {
    const reply = route.replies[status];
    const refusals = (route.refuses ?? [])
      .filter((refusal) => refusal.status === status)
      .map(({ message }) => message);
    const description =
      reply?.description ?? (refusals.length > 0 ? refusals.join(" / ") : (STATUS_CODES[status] ?? ""));
    if (isBodiless(status)) return [String(status), { description }];
    const contentType = (reply && contentTypeOf(reply)) ?? "application/json";
    const schema = reply === undefined ? errorBody : refer(reply, "output");
    const headers = status === 401 ? { headers: challengeHeader } : {};
    return [String(status), { description, ...headers, content: { [contentType]: { schema } } }];
  });
  return Object.fromEntries(answers);
}

/** The content type that a client should prefer. */
function bodyTypesOf({ form, text }: Route): readonly string[] {
  if (text === true) return ["text/plain"];
  return [...(form === true ? ["application/x-www-form-urlencoded"] : []), "application/json"];
}

function describeBody(route: Route, refer: Refer): Json {
  const { body } = route;
  if (body === undefined) return {};
  const schema = refer(route.documentedBody ?? body, "input");
  const content = Object.fromEntries(bodyTypesOf(route).map((type) => [type, { schema }]));
  return { requestBody: { required: !body.safeParse(undefined).success, content } };
}

function describeOperation(route: Route, surface: Surface, refer: Refer): Json {
  const parameters = describeParameters(route, refer);
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    // Empty means open to anyone; left out it would mean whatever the document's default is.
    security: route.auth.accepts.map(({ scheme, scope }) => ({
      [scheme]: scope === undefined ? [] : [scope],
    })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...describeBody(route, refer),
    responses: describeAnswers(route, surface, refer),
    ...(route.limit.length === 0 ? {} : { "x-limits": route.limit.map(describeLimit) }),
    ...(route.listener === "internal" ? { "x-listener": "internal" } : {}),
  };
}

const describeMessage = ({ name, description, tag, body }: SentMessage, refer: Refer): Json => ({
  post: {
    operationId: name.replace(/[^a-zA-Z0-9]+([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase()),
    summary: name,
    description,
    tags: [tag],
    security: [],
    requestBody: {
      required: true,
      content: { "application/json": { schema: refer(body, "output") } },
    },
    responses: { "2XX": { description: "Accepted. Any other answer is a failed attempt, and retried." } },
  },
});

/** The OpenAPI 3.1 document of a service, read off its routes. */
export function writeOpenApi(options: DocumentOptions): Json {
  const {
    title,
    description,
    version,
    baseUrl,
    routes,
    surface,
    authenticators = [],
    webhooks = [],
  } = options;
  const { components, refer } = makeComponents();
  const paths: Record<string, Json> = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describeOperation(route, surface, refer);
  const messages = webhooks.map((message) => [message.name, describeMessage(message, refer)] as const);
  return {
    openapi: "3.1.0",
    info: { title, description, version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    ...(messages.length === 0 ? {} : { webhooks: Object.fromEntries(messages) }),
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      ...(authenticators.length === 0
        ? {}
        : {
            securitySchemes: Object.fromEntries(
              authenticators.map(({ scheme, security }) => [scheme, security]),
            ),
          }),
    },
  };
}
