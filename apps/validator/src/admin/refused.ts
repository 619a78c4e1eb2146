/** A refusal in words for the operator. The file that it is about was not changed. */
export class ListRefused extends Error {
  override readonly name = "ListRefused";
}
