// The native half of the package, which brings no types of its own. Its main file is not used: that falls back, without a
// word, to an implementation in JavaScript that is far slower and has open advisories.
declare module "secp256k1/bindings.js" {
  const native: {
    /** Throws if no key can have made the signature. */
    readonly ecdsaRecover: (
      signature: Uint8Array,
      recoveryId: number,
      hash: Uint8Array,
      isCompressed: boolean,
    ) => Uint8Array;
  };
  export default native;
}
