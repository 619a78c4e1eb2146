import { KeyServiceError } from "./errors.ts";

/** Rejects if there is no answer in time, whatever the client does about its own timeout. */
export async function within<T>(timeoutMs: number, what: string, answer: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new KeyServiceError("unavailable", `${what}: no answer in ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
