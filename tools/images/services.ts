// The services that get an image, and the files that each reads at run time where no tracer sees it.

export type ServiceFiles = {
  /** Programs that the image can run, relative to apps/<name>/src. */
  readonly programs: readonly string[];
  /** Glob patterns of files that are found with readdir or relative to import.meta. */
  readonly readAtRunTime: readonly string[];
};

/** The page of the OpenAPI reference, which its plugin reads from its own folder. */
const referencePage = "node_modules/@scalar/fastify-api-reference/dist/js/*.js";
/** Loaded by the operator's setting SECRETS_PKCS11_MODULE only. */
const tokenBinding = "node_modules/pkcs11js/build/Release/*.node";

export const services: Readonly<Record<string, ServiceFiles>> = {
  api: {
    programs: ["main.ts", "register.ts", "admin.ts", "policies/counterexamples/search-worker.ts"],
    readAtRunTime: [
      "apps/api/package.json",
      "apps/api/data/*.txt",
      "apps/api/migrations/*.sql",
      "node_modules/secp256k1/prebuilds/linux-*/*",
      referencePage,
      tokenBinding,
    ],
  },
  orion: {
    programs: ["main.ts", "register.ts", "admin.ts"],
    readAtRunTime: ["apps/orion/package.json", referencePage, tokenBinding],
  },
  validator: {
    programs: ["main.ts", "admin.ts", "validate/check-worker.ts", "state/state-worker.ts"],
    readAtRunTime: [
      "apps/validator/package.json",
      "apps/validator/data/**/*",
      // A check is loaded only with its page and its cases.
      "apps/validator/src/nodes/**/*",
      "apps/validator/src/protocols/**/*",
      referencePage,
    ],
  },
  simulator: {
    programs: ["main.ts", "states/capture-worker.ts", "second-engine/edr-worker.ts"],
    // The second engine is native; its package chooses the file by platform.
    readAtRunTime: [
      "apps/simulator/package.json",
      "node_modules/@nomicfoundation/edr-linux-*/*",
      referencePage,
    ],
  },
  web: {
    programs: ["main.ts"],
    readAtRunTime: ["apps/web/package.json", "apps/web/dist/**/*"],
  },
};
