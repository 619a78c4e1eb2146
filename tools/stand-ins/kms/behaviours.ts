export type Behaviour =
  | "good"
  /** Answers 500. */
  | "fails"
  /** Asks for fewer calls. */
  | "limits"
  /** Never answers. */
  | "slow"
  /** The caller lacks the permission, and the error repeats the request with its plaintext. */
  | "denies"
  /** Uses another key of the same kind, under the name that was asked for. */
  | "uses-another-key"
  /** Names another key in its answer. */
  | "names-another-key"
  /** Changes a bit of its result after its checksum was made. */
  | "changes-a-bit"
  /** Returns a signature that is not in DER. */
  | "garbles";
