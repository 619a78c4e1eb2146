import type { LogFields } from "../log/index.ts";

/** The public part of an error: a stable code, a status, a sentence. */
export type ErrorEntry = { readonly status: number; readonly message: string };

export type ProblemOptions = {
  /** For the log, never for the client. */
  readonly details?: LogFields;
  readonly cause?: unknown;
  /** A more precise public sentence than the list's own. */
  readonly message?: string;
  /** Response headers that belong to this refusal, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** An error from a closed list. Rules throw it; only a surface's renderer turns it into an answer. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: LogFields;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, entry: ErrorEntry, options: ProblemOptions) {
    super(options.message ?? entry.message, { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.status = entry.status;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** Makes the error, and carries what the documents say about it. */
export type ErrorFactory = ((options?: ProblemOptions) => Problem) & ErrorEntry & { readonly code: string };

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The closed list of errors of one slice. The code is `<slice>.<name>` and is part of the interface: it never changes
 * once it has been published. The message may.
 */
export function defineErrors<Name extends string>(
  slice: string,
  entries: Readonly<Record<Name, ErrorEntry>>,
): Readonly<Record<Name, ErrorFactory>> {
  const make = (name: Name): ErrorFactory => {
    const entry = entries[name];
    const code = `${slice}.${kebab(name)}`;
    const factory = (options: ProblemOptions = {}): Problem => new Problem(code, entry, options);
    return Object.assign(factory, { code, status: entry.status, message: entry.message });
  };
  return Object.fromEntries((Object.keys(entries) as Name[]).map((name) => [name, make(name)])) as Record<
    Name,
    ErrorFactory
  >;
}
