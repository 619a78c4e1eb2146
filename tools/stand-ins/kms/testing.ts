// Both stand-ins with credentials, for tests of what uses them.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startAwsKms, type KmsStandIn } from "./aws.ts";
import { startGoogleKms } from "./google.ts";

export type { Behaviour } from "./behaviours.ts";
export type { KmsStandIn } from "./aws.ts";

export type TestKms = {
  readonly aws: KmsStandIn;
  readonly google: KmsStandIn;
  /** The addresses and credentials, as an operator has them in the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** `dir` gets the file of Google's service account. */
export async function startTestKms(dir: string): Promise<TestKms> {
  const region = "eu-central-1";
  const accessKeyId = `AKIA${randomBytes(8).toString("hex").toUpperCase()}`;
  const secretAccessKey = randomBytes(20).toString("hex");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = {
    type: "service_account",
    project_id: "example",
    private_key_id: randomBytes(20).toString("hex"),
    private_key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    client_email: "countersign@example.iam.gserviceaccount.com",
    client_id: "1",
    token_uri: "http://127.0.0.1:9/token",
    universe_domain: "googleapis.com",
  };
  const file = join(dir, "service-account.json");
  writeFileSync(file, JSON.stringify(account), { mode: 0o600 });
  const aws = await startAwsKms({ accessKeyId, secretAccessKey, region });
  const google = await startGoogleKms(account);
  return {
    ...{ aws, google },
    environment: {
      AWS_KMS_URL: aws.url,
      GOOGLE_KMS_URL: google.url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      // Without these the client looks for the machine's files and its metadata server.
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_CONFIG_FILE: "/dev/null",
      AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
      GOOGLE_APPLICATION_CREDENTIALS: file,
    },
    close: async () => {
      await Promise.all([aws.close(), google.close()]);
    },
  };
}
