// npm run admin -w apps/api -- doctor: asks every part that the API depends on, and says what to do about each that fails.

export type Examination = {
  readonly name: string;
  /** Returns what is good about it. Throws with what is wrong. */
  readonly run: () => Promise<string>;
  /** Tells the operator how to fix it. */
  readonly remedy: string;
};

const patienceMs = 10_000;

async function within<T>(answer: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(patienceMs);
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      timeout.addEventListener("abort", () => {
        reject(new Error(`no answer in ${patienceMs / 1000} s`));
      });
    }),
  ]);
}

/** Runs all examinations, prints a line for each, and returns whether all succeeded. */
export async function examineAll(
  examinations: readonly Examination[],
  print: (line: string) => void,
): Promise<boolean> {
  const outcomes = await Promise.all(
    examinations.map(async ({ name, run, remedy }) => {
      try {
        return { isWell: true, text: `ok    ${name.padEnd(12)} ${await within(run())}` };
      } catch (error) {
        const problem = error instanceof Error ? error.message : "no reason given";
        return {
          isWell: false,
          text: `FAIL  ${name.padEnd(12)} ${problem}\n      ${"".padEnd(12)} ${remedy}`,
        };
      }
    }),
  );
  for (const { text } of outcomes) print(text);
  const failed = outcomes.filter(({ isWell }) => !isWell).length;
  print(failed === 0 ? "\nAll checks passed." : `\n${failed} of ${outcomes.length} checks failed.`);
  return failed === 0;
}
