import { makeLog } from "@countersign/platform/log";
import { aTestApiWithKeys, type TestApiWithKeys } from "./api-keys.ts";
import { bearer, type SignedIn } from "./sign-in.ts";
import type { TestApi } from "./test-api.ts";
import type { IntegrationType } from "../src/custody/integration.ts";

/** A valid subject. A test changes only what it is about. */
export const aSubject = { commonName: "My agent", organization: "Acme", country: "CH" };

/** As answered. */
export type AnsweredIntegration = {
  readonly status: "none" | "pending" | "active";
  readonly csr: string;
  readonly cosigner: { readonly callbackPath: string; readonly hasKey: boolean };
  readonly wallet?: string;
};

export const requestCsr = (
  { http }: TestApi,
  who: SignedIn,
  {
    type = "execution",
    ...more
  }: { readonly type?: IntegrationType } & Readonly<Record<string, unknown>> = {},
) =>
  http.send({
    method: "POST",
    url: `/custody/generate-csr/${type}`,
    payload: { ...aSubject, ...more },
    headers: bearer(who),
  });

/** The id of an integration, which is in the path of the co-signer's endpoint. */
export const idOf = ({ cosigner }: AnsweredIntegration): string =>
  cosigner.callbackPath.split("/").at(-1) ?? "";

export type WatchedApi = TestApiWithKeys & {
  /** Everything it has answered and logged so far. */
  readonly said: () => string;
};

/** The whole service, with all its output recorded. */
export async function aWatchedApi(environment: Readonly<Record<string, string>> = {}): Promise<WatchedApi> {
  let said = "";
  const log = makeLog({
    app: "api",
    level: "debug",
    to: { write: (line) => void (said += line) },
  });
  const api = await aTestApiWithKeys(environment, log);
  return {
    ...api,
    http: {
      send: async (request) => {
        const answer = await api.http.send(request);
        said += `${JSON.stringify(answer.headers)}\n${answer.body}\n`;
        return answer;
      },
    },
    said: () => said,
  };
}
