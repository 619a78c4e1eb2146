// One seeded generator for the whole run. Generators may read neither the clock nor Math.random, because the same seed
// must produce the same bytes.
import { getAddress, hexlify } from "ethers";

export class Rng {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** mulberry32: small, fast, and good enough to shuffle test cases. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error("pick from an empty list");
    return item;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }

  bytes(length: number): string {
    const out = new Uint8Array(length);
    for (let i = 0; i < length; i++) out[i] = this.int(0, 255);
    return hexlify(out);
  }

  address(): string {
    return getAddress(this.bytes(20));
  }

  /** Returns a child generator, so that more draws in one case do not change the next. */
  fork(label: string): Rng {
    let hash = 2166136261;
    for (const char of label) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
    return new Rng((this.int(0, 0x7fffffff) ^ hash) >>> 0);
  }
}
