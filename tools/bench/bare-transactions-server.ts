// The measures for transactions: the framework alone, and the framework with the driver running the statement that records
// a proposal, with parameters as the service has them. No credential, no limits, no validation, no log.
import { randomBytes, randomUUID } from "node:crypto";
import Fastify from "fastify";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from "kysely";
import pg from "pg";
import { begin } from "../../apps/api/src/transactions/lifecycle.ts";
import { insertTransaction } from "../../apps/api/src/transactions/store/insert.ts";

const [, , port = "", databaseUrl = "", account = ""] = process.argv;

type Hex = `0x${string}`;
type Body = {
  readonly userPrompt: string;
  readonly tx: { readonly to: Hex; readonly value: string; readonly data: Hex };
};

const sample = { id: randomUUID(), hash: randomBytes(32), salt: randomBytes(32) };
const hexOf = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;

/** The service's own statement, caught before it is run. */
async function catchStatement({ userPrompt, tx }: Body): Promise<CompiledQuery> {
  let caught: CompiledQuery | undefined;
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      caught = query;
    },
  });
  const policy = { requireUser: false, adminMayApprove: false, external: true };
  const made = insertTransaction(
    db,
    {
      id: sample.id,
      ...{ account: account as Hex, escrow: account as Hex, description: userPrompt },
      requestHash: hexOf(sample.hash),
      chainId: 11_155_111,
      form: "standard",
      proposer: `key:${sample.id}`,
      tx: { ...tx, value: BigInt(tx.value) },
      ...{ payload: null, signingHash: null },
      intentProvenance: "agent-claimed",
      deadline: new Date(Date.now() + 86_400_000),
      salt: hexOf(sample.salt),
      serviceId: null,
      supersedes: null,
      lifecycle: begin(1, policy),
      extras: {},
      envelope: null,
    },
    { watchedChains: new Set<number>(), compactStorage: false },
  );
  // Nothing was run, so nothing came back.
  await made.catch(() => undefined);
  if (caught === undefined) throw new Error("no statement was caught");
  return caught;
}

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
let statement: CompiledQuery | undefined;

/** The same parameters, with a name of its own for each proposal. */
function fresh(parameters: readonly unknown[]): unknown[] {
  const [id, hash, salt] = [randomUUID(), randomBytes(32), randomBytes(32)];
  const named = new Map<unknown, unknown>([
    [sample.id, id],
    [hexOf(sample.hash), hexOf(hash)],
  ]);
  return parameters.map((parameter) => {
    if (!Buffer.isBuffer(parameter)) return named.get(parameter) ?? parameter;
    if (parameter.equals(sample.hash)) return hash;
    return parameter.equals(sample.salt) ? salt : parameter;
  });
}

const fastify = Fastify();
fastify.get("/", () => ({ name: "bench", version: "1.0", status: "ok" }));
fastify.post<{ Body: Body }>("/transactions", async ({ body }, reply) => {
  statement ??= await catchStatement(body);
  const { rows } = await pool.query(statement.sql, fresh(statement.parameters));
  return reply.code(201).send(rows[0]);
});
// Accepts the calls to the engine at once, because the work is not measured here.
fastify.all("/*", (_request, reply) => reply.code(202).send({ invocationId: "inv", status: "Accepted" }));
await fastify.listen({ host: "127.0.0.1", port: Number(port) });
