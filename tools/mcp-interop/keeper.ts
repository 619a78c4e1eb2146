import { randomUUID } from "node:crypto";

type Metadata = {
  readonly client_name: string;
  readonly redirect_uris: string[];
  readonly grant_types: string[];
  readonly response_types: string[];
  readonly token_endpoint_auth_method: string;
};

/** An in-memory OAuth store for the clients of both SDKs: their types differ, their member names do not. */
type Keeper<Client, Tokens, Discovery> = {
  readonly redirectUrl: string;
  readonly clientMetadata: Metadata;
  readonly state: () => string;
  readonly clientInformation: () => Client | undefined;
  readonly saveClientInformation: (client: Client) => void;
  readonly tokens: () => Tokens | undefined;
  readonly saveTokens: (tokens: Tokens) => void;
  /** So that another must be got with the refresh token. */
  readonly spoilToken: () => void;
  readonly redirectToAuthorization: (url: URL) => void;
  /** Which authorization server it was sent to; the answer must come from the same. */
  readonly discoveryState: () => Discovery | undefined;
  readonly saveDiscoveryState: (discovery: Discovery) => void;
  readonly saveCodeVerifier: (verifier: string) => void;
  readonly codeVerifier: () => string;
  /** Where the owner is asked to go. */
  readonly whereTo: () => URL;
};

export function makeKeeper<Client, Tokens extends { readonly access_token: string }, Discovery>(
  method: string,
): Keeper<Client, Tokens, Discovery> {
  const redirectUrl = "http://localhost:8090/callback";
  const state = randomUUID();
  let client: Client | undefined;
  let tokens: Tokens | undefined;
  let discovery: Discovery | undefined;
  let verifier = "";
  let asked: URL | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: `an SDK with ${method}`,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: method,
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    spoilToken: () => {
      tokens = tokens && { ...tokens, access_token: "spoilt" };
    },
    redirectToAuthorization: (url) => {
      asked = url;
    },
    discoveryState: () => discovery,
    saveDiscoveryState: (given) => {
      discovery = given;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    whereTo: () => {
      if (asked === undefined) throw new Error("the user was not redirected");
      return asked;
    },
  };
}
