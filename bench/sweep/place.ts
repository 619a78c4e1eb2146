// Where a sentence is put into a text.
export const places = ["after", "after a comma", "on a line after", "in brackets after", "inside"] as const;
export type Place = (typeof places)[number];

const stop = /[.!?。！？…]$/u;
const withoutStop = (sentence: string): string => sentence.replace(/[.。]$/u, "");
const lowered = (sentence: string): string => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

/** Ends of sentences with more text after them: "inside" is the one that `share` of the text is before. */
function endsWithin(text: string): readonly number[] {
  return [...text.matchAll(/[.!?。！？](?=\s|[\u4e00-\u9fff])/gu)].map(({ index }) => index + 1);
}

/** Undefined if the text has no such place. `share`: 0 to 1. */
export function put(text: string, sentence: string, place: Place, share: number): string | undefined {
  const whole = text.trimEnd();
  const ended = stop.test(whole) ? whole : `${whole}.`;
  switch (place) {
    case "after":
      return `${ended} ${sentence}`;
    case "after a comma":
      return `${whole.replace(/[.。]$/u, "")}, ${lowered(sentence)}`;
    case "on a line after":
      return `${whole}\n${sentence}`;
    case "in brackets after":
      return `${ended} (${withoutStop(sentence)})`;
    case "inside": {
      const ends = endsWithin(whole);
      const at = ends[Math.floor(share * ends.length)];
      return at === undefined ? undefined : `${whole.slice(0, at)} ${sentence}${whole.slice(at)}`;
    }
  }
}
