// What endpoints need whose clients were not written for us: forms, bare texts, challenges, pages, origins.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineErrors, requestErrors, restSurface } from "../errors/index.ts";
import { credential, open, type Authenticator } from "./auth.ts";
import { writeOpenApi } from "./openapi.ts";
import { ok, route } from "./route.ts";
import { aService } from "../../test/http.ts";

const base = { tag: "Test", summary: "Test", auth: open, replies: { 200: z.unknown() } } as const;
const form = { "content-type": "application/x-www-form-urlencoded" };

const Word = z.object({ word: z.string(), more: z.union([z.string(), z.array(z.string())]).optional() });
const takesForms = route({
  ...base,
  method: "POST",
  path: "/form",
  form: true,
  body: Word,
  handle: ({ body }) => ok(body),
});
const takesJson = route({
  ...base,
  method: "POST",
  path: "/json",
  body: Word,
  handle: ({ body }) => ok(body),
});

const post = async (url: string, payload: string, headers: Record<string, string> = form) =>
  (await aService([takesForms, takesJson])).inject({ method: "POST", url, headers, payload });

describe("a form", () => {
  test("is read where the endpoint takes one, and JSON still is", async () => {
    expect((await post("/form", "word=a%20b+c")).json()).toEqual({ word: "a b c" });
    const json = { "content-type": "application/json" };
    expect((await post("/form", '{"word":"x"}', json)).json()).toEqual({ word: "x" });
  });
  test("has a member that is sent twice as an array, which a single value is not", async () => {
    expect((await post("/form", "word=a&more=1&more=2")).json()).toEqual({ word: "a", more: ["1", "2"] });
    expect((await post("/form", "word=a&word=b")).statusCode).toBe(400);
  });
  test("is refused elsewhere", async () => {
    expect((await post("/json", "word=a")).statusCode).toBe(415);
  });
  test("has a member called __proto__ only as a member", async () => {
    expect((await post("/form", "word=a&__proto__=x")).json()).toEqual({ word: "a" });
  });
});

describe("a text", () => {
  const takesText = route({
    ...base,
    method: "POST",
    path: "/text",
    text: true,
    bodyLimitBytes: 100,
    body: z.string(),
    replies: { 200: z.string().meta({ contentType: "application/jwt" }) },
    handle: ({ body }) => ok(`<${body}>`),
  });
  const sendText = async (payload: string, type?: string) => {
    const headers = type === undefined ? {} : { "content-type": type };
    return (await aService([takesText, takesJson])).inject({
      method: "POST",
      url: "/text",
      headers,
      payload,
    });
  };
  test.each([
    "text/plain",
    "text/plain; charset=utf-8",
    "application/jwt",
    "application/json",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    undefined,
  ])("arrives as it is when it is called %s", async (type) => {
    const answer = await sendText('a.b-c_d={"', type);
    expect([answer.statusCode, answer.headers["content-type"], answer.body]).toEqual([
      200,
      "application/jwt",
      '<a.b-c_d={">',
    ]);
  });
  test("may be empty, or not there", async () => {
    const service = await aService([takesText]);
    expect((await sendText("", "application/json")).body).toBe("<>");
    expect((await service.inject({ method: "POST", url: "/text" })).body).toBe("<>");
  });
  test("is refused when it is too large, or no text", async () => {
    expect((await sendText("x".repeat(100), "text/plain")).statusCode).toBe(200);
    expect((await sendText("x".repeat(101), "text/plain")).statusCode).toBe(413);
    expect((await sendText("a\0b", "text/plain")).statusCode).toBe(400);
  });
  test("is as foreign as before to the endpoints beside it", async () => {
    const service = await aService([takesText, takesJson]);
    for (const type of ["text/plain", "application/jwt"]) {
      const headers = { "content-type": type };
      const answer = await service.inject({ method: "POST", url: "/json", headers, payload: "hello" });
      expect(answer.statusCode).toBe(415);
    }
  });
  test("is a signed request's raw body, too", async () => {
    let seen = "";
    const proof: Authenticator = {
      scheme: "token",
      security: { type: "http", scheme: "bearer" },
      challenge: "Test",
      isPresented: () => true,
      authenticate: async ({ rawBody }) => {
        seen = rawBody;
        return { scheme: "token", subject: "somebody", scopes: [] };
      },
    };
    const guarded = { ...takesText, auth: credential("token") };
    const service = await aService([guarded], { authenticators: [proof] });
    await service.inject({ method: "POST", url: "/text", payload: "as it is" });
    expect(seen).toBe("as it is");
  });
  test("is documented as plain text", () => {
    const { paths } = writeOpenApi({
      ...{ title: "", description: "", version: "", baseUrl: "", surface: restSurface },
      routes: [takesText],
    }) as { paths: Record<string, { post: { requestBody: { content: object } } }> };
    expect(paths["/text"]?.post.requestBody).toEqual({
      required: true,
      content: { "text/plain": { schema: { type: "string" } } },
    });
  });
});

describe("another method than those of a path", () => {
  test("is a 405 that names them", async () => {
    const answer = await (await aService([takesForms])).inject({ method: "DELETE", url: "/form?x=1" });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe("POST");
  });
});

const nobody: Authenticator = {
  scheme: "token",
  security: { type: "http", scheme: "bearer" },
  challenge: "Bearer",
  isPresented: ({ headers }) => headers["authorization"] !== undefined,
  authenticate: async () => undefined,
};

describe("a challenge", () => {
  const guarded = route({
    ...base,
    method: "GET",
    path: "/guarded",
    auth: credential("token"),
    challenge: ({ isPresented }) => (isPresented ? 'Bearer error="invalid_token"' : "Bearer"),
    handle: () => ok({}),
  });
  test("comes with a 401 and tells no token from a bad one", async () => {
    const service = await aService([guarded], { authenticators: [nobody] });
    const without = await service.inject("/guarded");
    expect([without.statusCode, without.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    const bad = await service.inject({ url: "/guarded", headers: { authorization: "Bearer x" } });
    expect([bad.statusCode, bad.headers["www-authenticate"]]).toEqual([401, 'Bearer error="invalid_token"']);
  });
});

describe("a 401 without a challenge of its own", () => {
  const wrongCredential = defineErrors("test", { wrong: { status: 401, message: "Wrong" } }).wrong;
  test.each([
    ["for a missing credential", credential("token"), 'Token realm="test"'],
    ["from the handler of an open endpoint", open, "Bearer"],
  ])("names the schemes that the endpoint accepts %s", async (_, auth, expected) => {
    const refusing = route({
      ...base,
      method: "GET",
      path: "/refusing",
      auth,
      handle: () => {
        throw wrongCredential();
      },
    });
    const service = await aService([refusing], {
      authenticators: [{ ...nobody, challenge: 'Token realm="test"' }],
    });
    const answer = await service.inject("/refusing");
    expect([answer.statusCode, answer.headers["www-authenticate"]]).toEqual([401, expected]);
  });
});

describe("admission", () => {
  test("is refused before credentials are looked at", async () => {
    const picky = route({
      ...base,
      method: "GET",
      path: "/picky",
      auth: credential("token"),
      admit: ({ origin }) => {
        if (origin !== undefined) throw requestErrors.forbidden();
      },
      handle: () => ok({}),
    });
    const service = await aService([picky], { authenticators: [nobody] });
    expect(
      (await service.inject({ url: "/picky", headers: { origin: "https://a.example" } })).statusCode,
    ).toBe(403);
    expect((await service.inject("/picky")).statusCode).toBe(401);
  });
});

describe("a page", () => {
  const refusing = route({
    ...base,
    method: "GET",
    path: "/refusing",
    surface: { ...restSurface, renderPage: ({ message }) => `<p>${message}</p>` },
    handle: () => {
      throw requestErrors.invalid();
    },
  });
  test("is what a browser is told with; others get the body of the surface", async () => {
    const service = await aService([refusing]);
    const page = await service.inject({ url: "/refusing", headers: { accept: "text/html,*/*;q=0.8" } });
    expect([page.statusCode, page.headers["content-type"], page.body]).toEqual([
      400,
      "text/html; charset=utf-8",
      "<p>The request is not valid</p>",
    ]);
    expect((await service.inject("/refusing")).json()).toMatchObject({ statusCode: 400 });
  });
});

describe("an answer", () => {
  test("may send the browser on", async () => {
    const away = route({
      ...base,
      method: "GET",
      path: "/away",
      replies: { 302: z.undefined() },
      handle: () => ({ status: 302 as const, body: undefined, headers: { Location: "https://a.example/" } }),
    });
    const answer = await (await aService([away])).inject("/away");
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([
      302,
      "https://a.example/",
      "",
    ]);
  });
});
