import pg from "pg";

/** Moves verdicts into the past, as if the transactions had been proposed over some time. Only for a development stack. */
export async function backdate(postgresUrl: string, daysAgo: ReadonlyMap<string, number>): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    for (const [requestHash, days] of daysAgo)
      await client.query(
        `update transactions set verdict_at = verdict_at - make_interval(days => $2)
         where request_hash = decode(substr($1, 3), 'hex')`,
        [requestHash, days],
      );
  } finally {
    await client.end();
  }
}
