// The measure: the framework alone, answering the same body.
import Fastify from "fastify";

const fastify = Fastify();
fastify.get("/", () => ({ name: "bench", version: "1.0", status: "ok" }));
await fastify.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
