// The address of the service worker, as the content security policy requires it.

/** Not in TypeScript's DOM types yet. */
declare const trustedTypes:
  | {
      createPolicy: (
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ) => { createScriptURL: (url: string) => string };
    }
  | undefined;

/** At the root, because a service worker's scope is its folder. */
const url = "/service-worker.js";

/** The policy accepts no other address. */
const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("service-worker", {
        createScriptURL: (given) => {
          if (given !== url) throw new TypeError("Only the service worker is allowed.");
          return given;
        },
      });

export const serviceWorkerUrl = (): string => policy?.createScriptURL(url) ?? url;
