import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { requestErrors } from "@countersign/platform/errors";
import serveStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { webErrors } from "./errors.ts";

/** Where the build puts what is named by its content. */
const hashed = "/assets/";

/** Every address that is no file is a page, and which one the page itself knows. */
const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" &&
  headers.accept?.includes("text/html") === true &&
  ![hashed, "/api/", "/session"].some((start) => url.startsWith(start));

const indexOf = (folder: string): string => join(folder, "index.html");

export const arePagesBuilt = (folder: string): boolean => existsSync(indexOf(folder));

/** Fails while there is no page to serve: a server without pages must get no traffic. */
export const probePages = (folder: string): Promise<void> => access(indexOf(folder));

export async function servePages(fastify: FastifyInstance, folder: string): Promise<void> {
  await fastify.register(serveStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    dotfiles: "ignore",
    suppressWarning: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, hashed));
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  fastify.setNotFoundHandler(async (request, reply) => {
    if (!asksForPage(request)) throw requestErrors.notFound();
    if (!arePagesBuilt(folder)) throw webErrors.notBuilt();
    return reply.code(200).sendFile("index.html");
  });
}
