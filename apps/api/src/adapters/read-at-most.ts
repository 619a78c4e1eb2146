/**
 * Reads an answer, counting its bytes as they come instead of trusting Content-Length. Returns undefined if
 * there are too many.
 */
export async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  maximumBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
