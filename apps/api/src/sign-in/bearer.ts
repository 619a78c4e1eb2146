const bearer = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the token in `Authorization: Bearer`. Tokens in the URL or the body are not accepted. */
export function bearerTokenIn({ authorization }: Headers): string | undefined {
  const [, token] = (typeof authorization === "string" ? bearer.exec(authorization) : null) ?? [];
  return token;
}
