import { expect, test } from "vitest";
import { z } from "zod";
import { defineErrors, restSurface } from "../errors/index.ts";
import { anyOf, credential, open } from "./auth.ts";
import { perCaller, perIp, perValue } from "./limit.ts";
import { writeOpenApi } from "./openapi.ts";
import { ok, route, statusesOf, type Route } from "./route.ts";

const errors = defineErrors("things", { missing: { status: 404, message: "Thing not found" } });
const Thing = z.object({ id: z.string(), size: z.number().int() }).meta({ id: "Thing" });

const readThing = route({
  method: "GET",
  path: "/things/{id}",
  summary: "Read a thing",
  tag: "Things",
  auth: anyOf(credential("key", "things:read"), credential("jwt")),
  limit: [perIp(100), perCaller("key", 30), perValue("full", 20), { ...perIp(10), counts: "costly things" }],
  params: z.object({ id: z.string() }),
  query: z.object({ full: z.string().optional() }),
  replies: { 200: Thing },
  refuses: [errors.missing],
  handle: () => ok({ id: "1", size: 2 }),
});

const document = (routes: readonly Route[]) =>
  writeOpenApi({
    title: "Things",
    description: "All of them.",
    version: "1.0",
    baseUrl: "http://x",
    routes,
    surface: restSurface,
  });

test("a route's statuses are its replies, its refusals and what its other parts imply", () => {
  expect(statusesOf(readThing, restSurface)).toEqual([200, 400, 401, 403, 404, 429]);
});

test("the document says what the route says", () => {
  expect(document([readThing])["paths"]).toMatchInlineSnapshot(`
    {
      "/things/{id}": {
        "get": {
          "operationId": "getThingsById",
          "parameters": [
            {
              "in": "path",
              "name": "id",
              "required": true,
              "schema": {
                "type": "string",
              },
            },
            {
              "in": "query",
              "name": "full",
              "required": false,
              "schema": {
                "type": "string",
              },
            },
          ],
          "responses": {
            "200": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Thing",
                  },
                },
              },
              "description": "OK",
            },
            "400": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Error",
                  },
                },
              },
              "description": "Bad Request",
            },
            "401": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Error",
                  },
                },
              },
              "description": "Unauthorized",
              "headers": {
                "WWW-Authenticate": {
                  "description": "One challenge for each credential that the endpoint accepts.",
                  "schema": {
                    "type": "string",
                  },
                },
              },
            },
            "403": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Error",
                  },
                },
              },
              "description": "Forbidden",
            },
            "404": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Error",
                  },
                },
              },
              "description": "Thing not found",
            },
            "429": {
              "content": {
                "application/json": {
                  "schema": {
                    "$ref": "#/components/schemas/Error",
                  },
                },
              },
              "description": "Too Many Requests",
            },
          },
          "security": [
            {
              "key": [
                "things:read",
              ],
            },
            {
              "jwt": [],
            },
          ],
          "summary": "Read a thing",
          "tags": [
            "Things",
          ],
          "x-limits": [
            "100/min per IP",
            "30/min per key caller",
            "20/min per full",
            "10/min per IP for costly things",
          ],
        },
      },
    }
  `);
});

test("describes a response without a body", () => {
  const replies = { 200: Thing, 204: z.undefined(), 304: z.undefined() };
  const paths = document([route({ ...readThing, replies, handle: () => ok({ id: "1", size: 2 }) })])["paths"];
  expect(paths).toMatchObject({
    "/things/{id}": {
      get: { responses: { 204: { description: "No Content" }, 304: { description: "Not Modified" } } },
    },
  });
});

test("describes the messages that the service sends", () => {
  const webhooks = [{ name: "thing.made", description: "A thing was made.", tag: "Things", body: Thing }];
  const options = { title: "Things", description: "", version: "1.0", baseUrl: "http://x" };
  expect(writeOpenApi({ ...options, routes: [], surface: restSurface, webhooks })).toMatchObject({
    webhooks: {
      "thing.made": {
        post: {
          operationId: "thingMade",
          summary: "thing.made",
          tags: ["Things"],
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
        },
      },
    },
    components: { schemas: { Thing: { type: "object" } } },
  });
  expect(document([readThing])).not.toHaveProperty("webhooks");
});

test("schemas with an id are components, and only those that are used", () => {
  expect(document([readThing])["components"]).toMatchInlineSnapshot(`
    {
      "schemas": {
        "Error": {
          "description": "Every error of the service. The stable code is in the X-Error-Code header.",
          "properties": {
            "error": {
              "type": "string",
            },
            "message": {
              "type": "string",
            },
            "statusCode": {
              "type": "integer",
            },
          },
          "required": [
            "statusCode",
            "message",
            "error",
          ],
          "type": "object",
        },
        "Thing": {
          "properties": {
            "id": {
              "type": "string",
            },
            "size": {
              "type": "integer",
            },
          },
          "required": [
            "id",
            "size",
          ],
          "type": "object",
        },
      },
    }
  `);
});

test("a body that is parsed as one is documented by its forms", () => {
  const forms = z.union([
    z.object({ one: z.string() }).meta({ id: "One" }),
    z.object({ other: z.string() }).meta({ id: "Other" }),
  ]);
  const write = route({
    ...{ method: "POST", path: "/things", summary: "Write a thing", tag: "Things", auth: open },
    body: z.object({ one: z.string().optional(), other: z.string().optional() }),
    documentedBody: forms,
    replies: { 200: Thing },
    handle: () => ok({ id: "1", size: 2 }),
  });
  const { paths, components } = document([write]) as {
    paths: Record<string, Record<string, { requestBody: object }>>;
    components: { schemas: Record<string, object> };
  };
  expect(paths["/things"]?.["post"]?.requestBody).toEqual({
    required: true,
    content: {
      "application/json": {
        schema: {
          anyOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Other" }],
        },
      },
    },
  });
  expect(components.schemas["One"]).toMatchObject({ required: ["one"] });
});

test("two different schemas cannot share a name", () => {
  const One = z.object({ one: z.string() }).meta({ id: "Gadget" });
  const Other = z.object({ other: z.string() }).meta({ id: "Gadget" });
  const reading = (path: `/${string}`, Reply: z.ZodType) =>
    route({
      method: "GET",
      path,
      summary: "Read",
      tag: "A",
      auth: open,
      replies: { 200: Reply },
      handle: () => ok({}),
    });
  expect(() => document([reading("/one", One), reading("/other", Other)])).toThrow(
    "two different schemas are called Gadget",
  );
});
