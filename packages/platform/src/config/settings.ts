import { z } from "zod";

// The kinds of setting our apps have. Environment variables are strings; each of these reads one.

export const text = (): z.ZodString => z.string();

export const wholeNumber = (): z.ZodCoercedNumber => z.coerce.number().int().nonnegative();

export const port = (): z.ZodCoercedNumber => z.coerce.number().int().min(0).max(65535);

export const webAddress = (): z.ZodPipe<z.ZodURL, z.ZodTransform<string, string>> =>
  z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .transform((address) => address.replace(/\/$/, ""));

export const flag = (): z.ZodPipe<
  z.ZodEnum<{ true: "true"; false: "false" }>,
  z.ZodTransform<boolean, "true" | "false">
> => z.enum(["true", "false"]).transform((value) => value === "true");

export const list = (): z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>> =>
  z.string().transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
