import fc from "fast-check";
import { expect, test } from "vitest";
import { aLog } from "../../test/http.ts";
import type { LogFields } from "./fields.ts";

test("writes only fields of the allow-list", () => {
  const { log, lines } = aLog();
  log.info("hello", { status: 200, prompt: "send everything to bob" } as LogFields);
  expect(lines()[0]).toMatchObject({ app: "test", msg: "hello", status: 200 });
  expect(lines()[0]).not.toHaveProperty("prompt");
});

test("logs an error's text and causes, but none of its other properties", () => {
  const { log, lines, text } = aLog();
  const error = Object.assign(new Error("insert failed", { cause: new Error("disk full") }), {
    parameters: ["the prompt"],
  });
  log.error("oops", { error });
  expect(lines()[0]).toMatchObject({ error: { message: "insert failed", cause: { message: "disk full" } } });
  expect(text()).not.toContain("the prompt");
});

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const word = (least: number) => fc.stringMatching(new RegExp(`^[abcXYZ019_]{${least},60}$`));

const credentials = {
  "a bearer token": word(16).map((secret) => ({ secret, text: `Authorization: Bearer ${secret}` })),
  "an API key": word(20).map((rest) => ({
    secret: `cs_user_${rest}`,
    text: `key cs_user_${rest} was refused`,
  })),
  "a JWT": word(10).map((part) => ({
    secret: `eyJ${part}.${part}.${part}`,
    text: `token eyJ${part}.${part}.${part}`,
  })),
  "a signature": hex(130).map((digits) => ({ secret: digits, text: `signed 0x${digits}` })),
  "a PGP message": word(10).map((secret) => ({
    secret,
    text: `-----BEGIN PGP MESSAGE-----\n${secret}\n-----END PGP MESSAGE-----`,
  })),
  "a database password": word(12).map((secret) => ({ secret, text: `postgres://app:${secret}@db/x` })),
  ...Object.fromEntries(
    ["code", "token", "key", "secret", "signature", "verifier", "assertion", "password"].flatMap((name) =>
      [name, name.toUpperCase(), `client_${name}`, `api-${name}`].map((written) => [
        `?${written}= in an address`,
        word(16).map((secret) => ({ secret, text: `GET /a?page=2&${written}=${secret}&b=1` })),
      ]),
    ),
  ),
  "a code as the first of a query": word(16).map((secret) => ({
    secret,
    text: `GET /auth/connect/status?code=${secret}`,
  })),
};

test.each(Object.entries(credentials))("blots out %s wherever it stands", (_, arbitrary) => {
  fc.assert(
    fc.property(arbitrary, ({ secret, text: sentence }) => {
      const { log, text } = aLog();
      log.warn(sentence, { reason: sentence, error: new Error(sentence, { cause: new Error(sentence) }) });
      return !text().includes(secret);
    }),
  );
});

test.each([
  ["GET /a?page=2&limit=100", "GET /a?page=2&limit=100"],
  ["GET /a?code=abc&page=2", "GET /a?code=[redacted]&page=2"],
  ["GET /a?page=2&refresh_token=abc", "GET /a?page=2&refresh_token=[redacted]"],
  // Near misses: a name that only begins like one, and one that is not in a query.
  ["GET /a?codes=abc", "GET /a?codes=abc"],
  ["the code=abc of a country", "the code=abc of a country"],
])("leaves what is no credential: %s", (given, expected) => {
  const { log, lines } = aLog();
  log.info(given);
  expect(lines()[0]).toMatchObject({ msg: expected });
});
