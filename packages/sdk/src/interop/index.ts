// The public API of `@countersign/sdk/interop`. Needs viem.
export { fromAp2, toAp2, type Ap2Export, type Ap2ImportOptions, type Ap2IntentMandate } from "./ap2.ts";
export { enforcerNames, type Caveat, type EnforcerName, type Enforcers } from "./caveats.ts";
export {
  fromErc7710,
  toErc7710,
  type Erc7710Delegation,
  type Erc7710Export,
  type Erc7710Options,
} from "./erc7710.ts";
export { fromErc7715, toErc7715, type Erc7715Export, type Erc7715Permission } from "./erc7715.ts";
export {
  ConversionRefused,
  type Draft,
  type Imported,
  type ImportOptions,
  type MandateTerms,
} from "./types.ts";
