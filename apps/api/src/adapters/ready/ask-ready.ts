/** Asks one of our other services whether it is ready. Throws if it is not, or does not answer. */
export async function askReady(url: string): Promise<string> {
  const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (response === undefined) throw new Error("does not answer");
  await response.body?.cancel();
  if (!response.ok) throw new Error(`answers ${response.status} to GET /ready`);
  return "ready";
}
