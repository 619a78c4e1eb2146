/**
 * A key by its full name. Aliases and ids without a region are not accepted: an alias can be moved to another key, and then
 * nothing that was encrypted would open.
 */
export type KeyName =
  | { readonly service: "aws"; readonly name: string; readonly region: string }
  | { readonly service: "google"; readonly name: string; readonly version: string | undefined };

const aws = /^arn:aws(?:-[a-z]+)*:kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]{1,64}$/;
const part = "[A-Za-z0-9_.:-]{1,128}";
const google = new RegExp(
  `^projects/${part}/locations/${part}/keyRings/${part}/cryptoKeys/${part}(?:/cryptoKeyVersions/(\\d{1,9}))?$`,
);

function readKeyName(name: string): KeyName | undefined {
  const [, region] = aws.exec(name) ?? [];
  if (region !== undefined) return { service: "aws", name, region };
  const found = google.exec(name);
  return found === null ? undefined : { service: "google", name, version: found[1] };
}

/** Returns the key, or undefined unless it can encrypt: Google chooses the version, and decrypts with each. */
export function readWrappingKeyName(name: string): KeyName | undefined {
  const key = readKeyName(name);
  return key?.service === "google" && key.version !== undefined ? undefined : key;
}

/** Returns the key, or undefined unless it names one key pair: at Google that is a version. */
export function readSigningKeyName(name: string): KeyName | undefined {
  const key = readKeyName(name);
  return key?.service === "google" && key.version === undefined ? undefined : key;
}
