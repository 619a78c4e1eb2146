// The library's dependency container needs this import first.
import "reflect-metadata";
import type { KeyObject } from "node:crypto";
import { Name, Pkcs10CertificateRequestGenerator, type JsonAttributeAndObjectValue } from "@peculiar/x509";
import type { Subject } from "./subject.ts";

export type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

const utf8 = (attribute: string, value: string | undefined): readonly JsonAttributeAndObjectValue[] =>
  value === undefined ? [] : [{ [attribute]: [{ utf8String: value }] }];

/**
 * From general to specific. Each value has an explicit type: bare text would be parsed as a notation in which
 * quotes, commas and a leading # have a meaning, so a name could inject another attribute.
 */
const nameOf = (subject: Subject): Name =>
  new Name([
    { C: [{ printableString: subject.country }] },
    ...utf8("ST", subject.state),
    ...utf8("L", subject.locality),
    ...utf8("O", subject.organization),
    ...utf8("OU", subject.organizationalUnit),
    ...utf8("CN", subject.commonName),
    ...(subject.email === undefined ? [] : [{ E: [{ ia5String: subject.email }] }]),
  ]);

/** Creates a certificate signing request in PEM, signed with its key. */
export async function makeCsr(subject: Subject, { publicKey, privateKey }: KeyPair): Promise<string> {
  const csr = await Pkcs10CertificateRequestGenerator.create({
    name: nameOf(subject),
    keys: {
      publicKey: publicKey.toCryptoKey(algorithm, true, ["verify"]),
      privateKey: privateKey.toCryptoKey(algorithm, false, ["sign"]),
    },
    signingAlgorithm: algorithm,
  });
  return `${csr.toString("pem").trim()}\n`;
}
