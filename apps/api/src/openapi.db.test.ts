import { writeOpenApi } from "@countersign/platform/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApi, type TestApi } from "../test/test-api.ts";

type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
type Operation = {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly headers?: object }>>;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
};

let api: TestApi;
let document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
beforeAll(async () => {
  api = await aTestApi();
  document = writeOpenApi({ ...api.app.service, routes: api.app.routes }) as never;
});
afterAll(() => api.close());

function operationOf(endpoint: string): Operation {
  const [method = "", path = ""] = endpoint.split(" ");
  const found = document.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`no ${endpoint}`);
  return found;
}

const resolve = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1) ?? ""];

/** Each form of it separately. */
function formsOf({ content = {} }: Content): readonly Schema[] {
  const schema = resolve(Object.values(content)[0]?.schema);
  return (schema?.anyOf ?? (schema === undefined ? [] : [schema])).map((form) => resolve(form) ?? {});
}

const requiredOf = (content: Content | undefined): readonly (readonly string[])[] =>
  formsOf(content ?? {}).map(({ required = [] }) => [...required].sort());

// Copied from the specification's tables. Further optional members are ours.
describe("the documented request", () => {
  test.each([
    ["POST /auth/siwe/nonce", ["walletAddress"]],
    ["POST /auth/siwe/verify", ["message", "signature"]],
    ["POST /auth/refresh", ["refreshToken"]],
    ["POST /auth/logout", ["refreshToken"]],
    ["POST /auth/connect/approve", ["code"]],
    ["POST /oauth/approve", ["sessionId"]],
    ["POST /user-api-keys", ["name"]],
    ["POST /user-api-keys/register", ["pgpPublicKey", "signature"]],
    ["PUT /settings", ["executionType"]],
    ["POST /settings/register-provider-quorum", ["type"]],
    ["POST /custody/generate-csr/{type}", ["commonName", "country", "organization"]],
    ["POST /custody/complete/{type}", ["apiKey", "environment", "region", "vaultAccountId"]],
    ["POST /custody/admin/transactions", ["escrowAddress", "requestHash", "to", "type", "value"]],
    ["POST /provider-quorum", ["displayName", "ethereumAddress", "providerUserId"]],
  ])("of %s requires %j", (endpoint, required) => {
    expect(requiredOf(operationOf(endpoint).requestBody)).toEqual([required]);
  });

  test("of POST /transactions requires the create fields, with something else to sign in place of tx, or the encrypted payload", () => {
    const { requestBody } = operationOf("POST /transactions");
    expect(requiredOf(requestBody)).toEqual([
      ["escrowAddress", "tx", "userPrompt"],
      ["escrowAddress", "typedData", "userPrompt"],
      ["calls", "escrowAddress", "userPrompt"],
      ["escrowAddress", "safeTransaction", "userPrompt"],
      ["escrowAddress", "message", "userPrompt"],
      ["authorizationList", "escrowAddress", "userPrompt"],
      ["escrowAddress", "userOperation", "userPrompt"],
      ["encryptedPayload", "escrowAddress", "payloadSignature"],
    ]);
    const tx = resolve(formsOf(requestBody ?? {})[0]?.properties?.["tx"]);
    expect([...(tx?.required ?? [])].sort()).toEqual(["data", "to", "value"]);
  });

  test("of an approval requires decision in form 1 and approved in form 2", () => {
    const { requestBody } = operationOf("POST /transactions/{requestHash}/approvals");
    expect(requiredOf(requestBody)).toEqual([["decision"], ["approved"]]);
  });

  test.each([
    ["GET /auth/connect/status", "code"],
    ["GET /oauth/session-info", "session"],
  ])("of %s requires the query parameter %s", (endpoint, name) => {
    const { parameters = [] } = operationOf(endpoint);
    expect(parameters.filter((one) => one.in === "query" && one.required).map((one) => one.name)).toEqual([
      name,
    ]);
  });
});

describe("the documented answer", () => {
  test.each([
    [
      "POST /transactions",
      "201",
      ["id", "requestHash", "description", "status", "execution", "createdAt", "updatedAt"],
    ],
    ["GET /settings", "200", ["id", "userId", "executionType", "walletProvider", "createdAt", "updatedAt"]],
    ["POST /user-api-keys", "201", ["apiKey", "secret"]],
    ["POST /oauth/token", "200", ["access_token", "token_type", "expires_in", "refresh_token", "scope"]],
    ["GET /auth/me", "200", ["id", "ethereumAddress"]],
    ["POST /auth/connect/initiate", "200", ["code", "authUrl"]],
  ])("of %s (%s) always has %j", (endpoint, status, members) => {
    const [required = []] = requiredOf(operationOf(endpoint).responses[status]);
    expect(required).toEqual(expect.arrayContaining(members));
  });

  test.each([
    ["UserApproval", ["id", "transactionId", "decision", "type", "approver", "createdAt"]],
    ["OrionApproval", ["id", "transactionId", "decision", "type", "confidence", "analysis", "createdAt"]],
  ])("%s always has %j", (name, members) => {
    expect(document.components.schemas[name]?.required).toEqual(expect.arrayContaining(members));
  });

  test("has a number as confidence and a string as analysis, never null", () => {
    const { confidence, analysis } = document.components.schemas["OrionApproval"]?.properties ?? {};
    expect([confidence?.type, analysis?.type]).toEqual(["number", "string"]);
  });

  test("documents WWW-Authenticate for every 401", () => {
    const answers = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ responses }) => responses["401"] ?? []);
    expect(answers.length).toBeGreaterThan(30);
    for (const { headers } of answers) expect(headers).toHaveProperty("WWW-Authenticate");
  });
});
