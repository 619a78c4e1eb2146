/** A witness that contradicts its proof, or lacks a part of it. The message names the part. */
export class Unproven extends Error {
  override readonly name = "Unproven";
}
