export type Finding = {
  readonly status: "ok" | "warn" | "fail";
  readonly name: string;
  readonly message: string;
  /** The fix, ideally a command. */
  readonly todo?: string;
};

export const ok = (name: string, message: string): Finding => ({ status: "ok", name, message });
export const warn = (name: string, message: string, todo: string): Finding => ({
  ...{ status: "warn", name, message, todo },
});
export const fail = (name: string, message: string, todo: string): Finding => ({
  ...{ status: "fail", name, message, todo },
});
