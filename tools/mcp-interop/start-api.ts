// Runs the real service as a process on its own database, without the engine, the chain and orion: a test posts the verdicts
// with an ORION key.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeKey } from "../../apps/api/src/api-keys/key-format.ts";
import { fetchOk, freePorts, waitUntil, type Child, type Supervisor } from "../engines/index.ts";

type Options = {
  readonly supervisor: Supervisor;
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** To take the place of one that was stopped. */
  readonly port?: number;
  /** For Node itself. */
  readonly nodeArgs?: readonly string[];
};

export type InteropApi = {
  readonly url: string;
  readonly child: Child;
  /** Posts a verdict about a proposal. */
  readonly decide: (requestHash: string, decision: "APPROVED" | "REJECTED" | "UNDECIDED") => Promise<void>;
};

const main = join(import.meta.dirname, "../../apps/api/src/main.ts");

export async function startInteropApi(options: Options): Promise<InteropApi> {
  const { supervisor, databaseUrl, env, nodeArgs = [] } = options;
  const [free = 0, nobody = 0] = await freePorts(2);
  const port = options.port ?? free;
  const orionKey = makeKey("orion", "test");
  const url = `http://127.0.0.1:${port}`;
  const child = supervisor.start({
    name: `api-${port}`,
    command: process.execPath,
    args: [...nodeArgs, main],
    cwd: "/",
    env: {
      PORT: String(port),
      ROLE: "http",
      DATABASE_URL: databaseUrl,
      ENGINE_INGRESS_URL: `http://127.0.0.1:${nobody}`,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      BOOTSTRAP_ORION_KEY: orionKey,
      ...env,
    },
  });
  await waitUntil("the api answers", () => fetchOk(`${url}/ready`), { child });
  const decide: InteropApi["decide"] = async (requestHash, decision) => {
    await fetchOk(`${url}/transactions/${requestHash}/approvals`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": orionKey },
      body: JSON.stringify({
        decision,
        confidence: 0.9,
        analysis: "The transaction does what was requested.",
      }),
    });
  };
  return { url, child, decide };
}
