export type Json = Readonly<Record<string, unknown>>;

/** Typed data that cannot be hashed in one way. `at` names the member, `message` says what it must be. */
export class TypedDataProblem extends Error {
  override readonly name = "TypedDataProblem";
  readonly at: string;
  constructor(at: string, message: string) {
    super(message);
    this.at = at;
  }
}

export const fail = (at: string, message: string): never => {
  throw new TypedDataProblem(at, message);
};

export const isObject = (json: unknown): json is Json =>
  typeof json === "object" && json !== null && !Array.isArray(json);
