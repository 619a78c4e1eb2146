// A signature takes a phone a quarter of a second. Checked beside the page, whoever scrolls or presses meanwhile is not held up.
import type { Verification } from "@countersign/sdk/receipt";
import type { Question } from "./verify.worker.ts";
import workerUrl from "./verify.worker.ts?worker&url";

/** TypeScript does not know of it yet. */
declare const trustedTypes:
  | {
      createPolicy: (
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ) => { createScriptURL: (url: string) => string };
    }
  | undefined;

/** The one address that may become a script here. The server's policy lets nobody make another rule. */
const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("verify-beside", {
        createScriptURL: (url) => {
          if (url !== workerUrl) throw new TypeError("Only the worker script is allowed.");
          return url;
        },
      });

/** Fails where there are no workers, or this one cannot be had. */
export async function verifyBeside(question: Question): Promise<Verification> {
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
