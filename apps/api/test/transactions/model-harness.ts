// Where the model is compared with the service: all of it, listening, on a separate database, with the parts that a
// run needs. It can be stopped and restarted, as in a deployment.
import pg from "pg";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { freePorts } from "@countersign/tools/testing";
import { readPrivateKey } from "openpgp";
import { aTestApiWithKeys } from "../api-keys.ts";
import { domainOf } from "../../src/composition/transactions.ts";
import { makeApp } from "../../src/composition/app.ts";
import { aKeyPair } from "../pgp-keys.ts";
import { connectDatabase } from "../../src/platform/db/connect.ts";
import type { TestApi } from "../test-api.ts";
import {
  aSealedPayload,
  aVerificationService,
  chainOf,
  manyProposals,
  readToTheEnd,
  watchedChains,
} from "../transactions.ts";
import { makeTransition } from "../../src/transactions/transition.ts";
import { makeExpireOverdue } from "../../src/transactions/watch/expire.ts";
import type { Verdict } from "../../src/transactions/lifecycle.ts";
import { makeTransactionStore } from "../../src/transactions/store/index.ts";
import type { Hex } from "../../src/transactions/transaction.ts";
import { anAttestation, aPerson, aServerKey, type Person } from "./decide-api.ts";

export type Headers = Readonly<Record<string, string>>;
export type Request = {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers: Headers;
  /** As on the wire. */
  readonly body?: string;
};
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

const log = makeLog({ app: "api", level: "silent" });

let sent = 0;
/** Every request from its own address, because these tests are not about limits. */
const someAddress = (): string => `10.${(++sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;

async function send(origin: string, { method, url, headers, body }: Request): Promise<Answer> {
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(`${origin}${url}`, {
    method,
    headers: { "x-forwarded-for": someAddress(), ...json, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const read: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: read };
}

/** One run of the service, from start to stop. */
async function startService({ config }: Pick<TestApi, "config">) {
  const app = makeApp(config, log);
  const service = await makeService({ ...app.service, routes: app.routes });
  const [port = 0] = await freePorts(1);
  const origin = await service.listen({ host: "127.0.0.1", port });
  return {
    origin,
    stop: async () => {
      await service.close();
      await app.close();
    },
  };
}

/** A worker that makes the changes of the flow and the chain watch. */
function makeWorker(databaseUrl: string) {
  const { db, close } = connectDatabase({ url: databaseUrl, poolSize: 2, log });
  const store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true });
  const transition = makeTransition({
    store,
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => undefined,
  });
  return { store, transition, expireOverdue: makeExpireOverdue({ store, transition, chainOf, log }), close };
}

export type Harness = Awaited<ReturnType<typeof openHarness>>;

export async function openHarness() {
  const api = await aTestApiWithKeys(manyProposals);
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query(readToTheEnd);
  const worker = makeWorker(api.databaseUrl);
  const verifier = await aVerificationService(api);
  const pair = await aKeyPair();
  const signingKey = await readPrivateKey({ armoredKey: pair.privateKey });
  const http = {
    send: (given: Parameters<TestApi["http"]["send"]>[0]) =>
      api.http.send({
        ...(typeof given === "string" ? { url: given } : given),
        remoteAddress: someAddress(),
      }),
  };
  let service = await startService(api);
  return {
    ...worker,
    client,
    sealed: await aSealedPayload(verifier, { signingKey }),
    /** Signs a verdict about a transaction, as the verification service does. */
    attestation: async (requestHash: Hex, decision: Verdict) => {
      const transaction = await worker.store.find(requestHash);
      if (transaction === undefined) throw new Error("it is not in the record");
      return anAttestation(transaction, verifier.wallet, { decision, domain: domainOf(api.config) });
    },
    servers: {
      admin: await aServerKey({ api }, "admin"),
      administrator: await aServerKey({ api }, "admin"),
      orion: await aServerKey({ api }, "orion"),
      arion: await aServerKey({ api }, "orion"),
    },
    stranger: await aPerson({ api: { ...api, http } }),
    /** A new owner, with an OpenPGP key and two agent keys. */
    anOwner: async (): Promise<Person & { readonly arbiter: Person["agent"] }> => {
      const person = await aPerson({ api: { ...api, http } });
      const signature = await person.wallet.signMessage({ message: pair.publicKey });
      const payload = { signature, pgpPublicKey: pair.publicKey };
      await http.send({ method: "POST", url: "/user-api-keys/register", payload, headers: person.jwt });
      return { ...person, arbiter: await person.key("arbiter") };
    },
    send: (request: Request): Promise<Answer> => send(service.origin, request),
    restart: async (): Promise<void> => {
      await service.stop();
      service = await startService(api);
    },
    close: async (): Promise<void> => {
      await service.stop();
      await worker.close();
      await client.end();
      await api.close();
    },
  };
}
