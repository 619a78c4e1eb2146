import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { requestErrors } from "@countersign/platform/errors";
import serveStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { webErrors } from "./errors.ts";

/** The folder of content-hashed assets. */
const hashed = "/assets/";

/** Serves index.html for every path that is not a file; the page does the routing. */
const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" &&
  headers.accept?.includes("text/html") === true &&
  ![hashed, "/api/", "/session"].some((start) => url.startsWith(start));

const indexOf = (folder: string): string => join(folder, "index.html");

export const arePagesBuilt = (folder: string): boolean => existsSync(indexOf(folder));

/** Not ready without built pages, so that the server gets no traffic. */
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
