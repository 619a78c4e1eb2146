import { text, webAddress, wholeNumber } from "../config/index.ts";
import { readSigningKeyName } from "./key-name.ts";

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])([:/]|$)/;

const endpoint = (service: string) =>
  webAddress()
    .refine(
      (url) => url.startsWith("https://") || loopback.test(url),
      "must be https, except on this machine",
    )
    .optional()
    .describe(`Another address of ${service} than the public one, such as an endpoint in your network.`);

/** How keys in a cloud's key service are reached. Their credentials are found by the services' own clients. */
export const kmsSettings = {
  AWS_KMS_URL: endpoint("AWS KMS"),
  GOOGLE_KMS_URL: endpoint("Google Cloud KMS"),
  KMS_TIMEOUT_MS: wholeNumber()
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe("Timeout of one call of a key service, with its retries."),
};

export type KmsSettings = {
  readonly AWS_KMS_URL?: string | undefined;
  readonly GOOGLE_KMS_URL?: string | undefined;
  readonly KMS_TIMEOUT_MS: number;
};

/** The name of a key pair that signs. The return type is left to inference: it is the schema itself. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- see above
export const signingKeyName = (use: string) =>
  text()
    .refine(
      (name) => readSigningKeyName(name) !== undefined,
      "must be the ARN of a key in AWS KMS, or the name of a version of a key in Google Cloud KMS",
    )
    .optional()
    .describe(
      `${use}, if it is in a key service: the ARN of a key in AWS KMS, or projects/…/cryptoKeyVersions/<n> of Google Cloud KMS, on the curve secp256k1.`,
    );

/** The address that such a key must have. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- see above
export const signingKeyAddress = (setting: string) =>
  text()
    .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
    .optional()
    .describe(
      `The address of ${setting}, required with it. Without it the service does not start, and the error names the address.`,
    );
