/** In the order of the documentation. `tx` is not among them: version 1 covers it. */
export const shapes = [
  "typedData",
  "calls",
  "safeTransaction",
  "message",
  "authorizationList",
  "userOperation",
] as const;

export type Shape = (typeof shapes)[number];
