// Checks that the services answer, are what they should be, and are healthy.
import { createCountersign, ServiceError, type Countersign } from "@countersign/sdk";
import type { Context } from "../context.ts";
import { failureOf } from "../failure.ts";
import type { Settings } from "../profiles/settings.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** No retries: slow answers are part of the diagnosis. */
const noRetries = { retries: 0, timeoutMs: 5_000 };

/** Signatures contain timestamps, so clock skew makes them invalid. */
const mostSkewMs = 30_000;

export async function examineService(context: Context, { url }: Settings): Promise<readonly Finding[]> {
  if (url === undefined)
    return [fail("service", "not configured", "countersign login --url https://…, or countersign sandbox")];
  try {
    return [...transportFindings(url), ...(await readService(clientAt(context, url), url))];
  } catch (error) {
    return [fail("service", failureOf(error).message, todoAbout(error, url))];
  }
}

/** An error response means that the URL is right. */
const todoAbout = (error: unknown, url: string): string =>
  error instanceof ServiceError
    ? "It has a problem, or a proxy in front of it can't reach it. The operator sees why in the service's log"
    : `Is ${url} right, and is it running? You can still check receipts: countersign verify FILE`;

const clientAt = ({ fetch }: Context, url: string): Countersign =>
  createCountersign({ ...noRetries, url, fetch });

/** Without encryption, others on the network can read the key. */
function transportFindings(url: string): readonly Finding[] {
  const { protocol, hostname } = new URL(url);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || isHere
    ? []
    : [warn("transport", `${url} isn't encrypted. Others could read your key.`, "Use https://")];
}

type Info = { readonly name?: unknown; readonly version?: unknown };
type Health = { readonly status?: unknown; readonly checks?: Readonly<Record<string, unknown>> };

async function readService(client: Countersign, url: string): Promise<readonly Finding[]> {
  const { body: info } = await client.request<Info | undefined>("/", { accept: [404] });
  if (info?.name !== "Countersign")
    return [fail("service", `${url} isn't a Countersign service`, "Check the address")];
  const found = ok("service", `${url}, version ${String(info.version)}`);
  try {
    const { headers, body: health } = await client.request<Health>("/health");
    return [found, ...healthFindings(health), ...skewFindings(headers.get("date"), Date.now())];
  } catch (error) {
    return [found, fail("health", failureOf(error).message, todoAbout(error, url))];
  }
}

function healthFindings({ checks = {} }: Health): readonly Finding[] {
  return Object.entries(checks).map(([name, state]) =>
    state === "ok"
      ? ok(`health of ${name}`, "ok")
      : warn(
          `health of ${name}`,
          "has problems: requests may be slow",
          "The operator sees why in the service's log",
        ),
  );
}

export function skewFindings(date: string | null, now: number): readonly Finding[] {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return [];
  const skewMs = now - theirs;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= mostSkewMs) return [ok("clock", `within ${mostSkewMs / 1000} s of the service's`)];
  return [
    warn(
      "clock",
      `${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the service's`,
      "Correct this machine's clock",
    ),
  ];
}

type ValidatorHealth = {
  readonly status?: unknown;
  readonly version?: unknown;
  readonly catalogue?: { readonly checks?: unknown };
};

export async function examineValidator(
  context: Context,
  { validatorUrl: url }: Settings,
): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  try {
    const { body } = await clientAt(context, url).request<ValidatorHealth>("/health", { accept: [503] });
    const checks = body.catalogue?.checks;
    if (typeof checks !== "number")
      return [fail("validator", `${url} isn't a validator`, "Check the address")];
    const said = `${url}, version ${String(body.version)}, ${checks} checks`;
    return [
      body.status === "ok"
        ? ok("validator", said)
        : warn("validator", `${said}, degraded`, `See ${url}/health`),
    ];
  } catch (error) {
    return [fail("validator", failureOf(error).message, `Is ${url} right, and is it running?`)];
  }
}
