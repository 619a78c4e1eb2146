// Verifies receipts in a worker: a signature takes 250 ms on a phone and would block scrolling.
import type { Verification } from "@countersign/sdk/receipt";
import type { Question } from "./verify.worker.ts";
import workerUrl from "./verify.worker.ts?worker&url";

/** Not in TypeScript's DOM types yet. */
declare const trustedTypes:
  | {
      createPolicy: (
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ) => { createScriptURL: (url: string) => string };
    }
  | undefined;

/** The only script URL allowed here. The server's CSP permits no other trusted-types policy. */
const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("verify-in-worker", {
        createScriptURL: (url) => {
          if (url !== workerUrl) throw new TypeError("Only the worker script is allowed.");
          return url;
        },
      });

/** Throws if workers are unavailable or the script does not load. */
export async function verifyInWorker(question: Question): Promise<Verification> {
  const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<Verification>) => {
        resolve(data);
      });
      for (const failure of ["error", "messageerror"] as const)
        worker.addEventListener(failure, () => {
          reject(new Error("The worker did not answer."));
        });
      worker.postMessage(question);
    });
  } finally {
    worker.terminate();
  }
}
