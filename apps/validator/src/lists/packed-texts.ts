/** Texts by key, in memory that all threads share: a job hands them to a worker without a copy, and a look-up parses nothing. */

export type PackedTexts = {
  readonly size: number;
  readonly keyBytes: number;
  /** In ascending order. */
  readonly keys: SharedArrayBuffer;
  /** For each key the end of its text in `texts`; it begins where the one before ends. */
  readonly ends: SharedArrayBuffer;
  readonly texts: SharedArrayBuffer;
};

/** Keys are hexadecimal digits in lower case, all of one length. */
export function packTexts(entries: Iterable<readonly [string, string]>, keyBytes: number): PackedTexts {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = sorted.map(([, text]) => Buffer.from(text));
  let end = 0;
  const ends = Uint32Array.from(texts, ({ length }) => (end += length));
  return {
    size: sorted.length,
    keyBytes,
    keys: shared(Buffer.from(sorted.map(([key]) => key).join(""), "hex")),
    ends: shared(new Uint8Array(ends.buffer)),
    texts: shared(Buffer.concat(texts)),
  };
}

/** Returns null if there is no such key. */
export function findText(packed: PackedTexts, key: string): string | null {
  const index = indexOf(packed, Buffer.from(key, "hex"));
  if (index === null) return null;
  const ends = new Uint32Array(packed.ends);
  const [from, to] = [index === 0 ? 0 : (ends[index - 1] ?? 0), ends[index] ?? 0];
  return Buffer.from(packed.texts, from, to - from).toString();
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

function indexOf({ keys, keyBytes, size }: PackedTexts, sought: Buffer): number | null {
  if (sought.length !== keyBytes) return null;
  const all = Buffer.from(keys);
  let [low, high] = [0, size - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = sought.compare(all, middle * keyBytes, (middle + 1) * keyBytes);
    if (order === 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return null;
}
