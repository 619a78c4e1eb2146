import type { z } from "zod";
import type { ErrorFactory, Surface } from "../errors/index.ts";
import type { AuthRule } from "./auth.ts";
import { defaultLimits, type Limit } from "./limit.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Headers = Readonly<Record<string, string>>;
type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

type Replies = Readonly<Record<number, z.ZodType>>;

/** A handler's result: one of the declared statuses with its declared body. */
type Answer<R extends Replies> = {
  [Status in keyof R & number]: {
    readonly status: Status;
    readonly body: z.input<R[Status]>;
    readonly headers?: Headers;
  };
}[keyof R & number];

type Input<Params, Query, Body, C> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: C;
  readonly requestId: string;
  readonly ip: string;
  readonly headers: RequestHeaders;
  /**
   * Checks the credential of this request again, for answers that go on for long: false once it was revoked or has expired.
   * Rejects if that could not be checked. Not for credentials that are good once.
   */
  readonly stillHolds: () => Promise<boolean>;
};

type Shape<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  R extends Replies,
  C,
> = {
  readonly method: Method;
  /** As the specification writes it, with parameters in braces: `/transactions/{requestHash}/approvals`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly auth: AuthRule<C>;
  readonly limit?: readonly Limit[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Describes the body in the document, where one schema that parses several forms would not show what each requires. */
  readonly documentedBody?: z.ZodType;
  readonly bodyLimitBytes?: number;
  /** Whether the body may come as a form too. A member that is sent twice is then an array. */
  readonly form?: true;
  /** The body is text, whatever its content type says: for clients that send a bare token. */
  readonly text?: true;
  readonly replies: R;
  /** The errors of the slice that this endpoint may answer. Those of the platform follow from the rest. */
  readonly refuses?: readonly ErrorFactory[];
  /** Looks at the headers before anything else is done; throws to refuse. */
  readonly admit?: (headers: RequestHeaders) => void;
  /** The WWW-Authenticate header of a 401, in place of the challenges of the accepted schemes. */
  readonly challenge?: (given: { readonly isPresented: boolean }) => string;
  /** Which web pages may call it: those of the web app, or any (discovery, tokens, MCP). */
  readonly cors?: "ui" | "any";
  /** `internal` endpoints move to a listener of their own when one is configured. */
  readonly listener?: "public" | "internal";
  /** For endpoints whose clients expect another error body than the service's. */
  readonly surface?: Surface;
  readonly handle: (
    input: Input<z.output<Params>, z.output<Query>, z.output<Body>, C>,
  ) => Answer<R> | Promise<Answer<R>>;
};

/** A route whose types have done their work; what the service, the documents and the test matrix read. */
export type Route = Omit<Shape<z.ZodType, z.ZodType, z.ZodType, Replies, unknown>, "handle" | "limit"> & {
  readonly limit: readonly Limit[];
  readonly handle: (
    input: Input<unknown, unknown, unknown, unknown>,
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers?: Headers }>;
};

/**
 * One endpoint as one object. Validation, types, the OpenAPI document, the auth table, the limits and the test matrix
 * are all read off it, so none of them can say something else than what is served.
 */
export function route<
  R extends Replies,
  C,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(shape: Shape<Params, Query, Body, R, C>): Route {
  return { limit: defaultLimits, ...shape, handle: async (input) => shape.handle(input as never) };
}

export const ok = <Body>(
  body: Body,
  headers: Headers = {},
): { status: 200; body: Body; headers: Headers } => ({
  status: 200,
  body,
  headers,
});

/** A reply that is not JSON says so in its schema's meta: `z.string().meta({ contentType: "text/plain" })`. */
export const contentTypeOf = (schema: z.ZodType): string | undefined => {
  const contentType = schema.meta()?.["contentType"];
  return typeof contentType === "string" ? contentType : undefined;
};

/** A response without a body. It is declared as `z.undefined()`. */
export const isBodiless = (status: number): boolean => [204, 302, 304].includes(status);

/** `/users/{id}` as the framework writes it: `/users/:id`. */
export const frameworkPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Every status the route can answer with, each of which needs a test that is named by it. */
export function statusesOf(given: Route, surface: Surface): readonly number[] {
  const implied = [
    ...((given.params ?? given.query ?? given.body) ? [(given.surface ?? surface).invalidStatus] : []),
    ...(given.auth.accepts.length > 0 ? [401] : []),
    ...(given.auth.accepts.some(({ scope }) => scope !== undefined) ? [403] : []),
    ...(given.limit.length > 0 ? [429] : []),
  ];
  const declared = Object.keys(given.replies).map(Number);
  const refused = (given.refuses ?? []).map(({ status }) => status);
  return [...new Set([...declared, ...refused, ...implied])].sort((a, b) => a - b);
}
