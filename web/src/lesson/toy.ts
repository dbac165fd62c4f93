// the invented numbers of the lesson: all of them, the same in every language
import { say, type Key } from "../parts/words.ts";

/** The sentence used everywhere, in the reader's language. */
export const sentence = (): string[] =>
  (["word_1", "word_2", "word_3", "word_4", "word_5"] satisfies Key[]).map((key) => say(key));

/** Who asks, and the shares of the five words. Rows 0 and 1 are the source's, the others ours. */
export const ROWS: readonly (readonly number[])[] = [
  [0.18, 0.12, 0.4, 0.1, 0.2],
  [0.1, 0.08, 0.55, 0.1, 0.17],
  [0.28, 0.28, 0.2, 0.09, 0.15],
  [0.09, 0.14, 0.21, 0.16, 0.4],
  [0.17, 0.09, 0.2, 0.24, 0.3],
];
export const GIVEN = 2;

/** One number a word, to be mixed. */
export const VALUES: readonly number[] = [10, 20, 30, 40, 50];

/** The encoder-decoder of the first part: states of two numbers. */
export const SOURCE = ["il", "a", "m’", "entarté"] as const;
export const TARGET = ["he", "hit", "me", "with", "a", "pie"] as const;
export const ENCODED: readonly (readonly number[])[] = [[2, 0], [0.5, 0.5], [0, 2], [-2, -1]];
export const DECODED: readonly (readonly number[])[] = [
  [1.5, 0], [-1, -0.5], [0, 1.5], [-0.5, -0.5], [-0.5, 0], [-1.5, -0.5],
];
/** The part of the last context that feeding adds to a decoder state. */
export const FED = 0.25;

/** Attention by hand: two shares, two values; a query and two keys that lead to these shares. */
export const SHARE = 0.25;
export const NUMBERS: readonly number[] = [2, 6];
export const LISTS: readonly (readonly number[])[] = [[2, 0], [0, 4]];
export const QUERY: readonly number[] = [1, 0];
export const KEYS: readonly (readonly number[])[] = [[0, 1], [1.55, 0]];

/** Five products as they are spread when d_k is 1; at d_k they are √d_k times as far apart. */
export const PRODUCTS: readonly number[] = [0.2, -0.8, 1.3, -0.3, 0.6];

/** Two heads over the five words: shares of each head when a word asks, values of two numbers. */
export const HEADS: readonly (readonly (readonly number[])[])[] = [
  ROWS,
  [
    [0.7, 0.1, 0.1, 0.05, 0.05],
    [0.6, 0.2, 0.1, 0.05, 0.05],
    [0.1, 0.6, 0.2, 0.05, 0.05],
    [0.05, 0.1, 0.6, 0.2, 0.05],
    [0.05, 0.05, 0.1, 0.6, 0.2],
  ],
];
export const HEAD_VALUES: readonly (readonly (readonly number[])[])[] = [
  [[1, 0], [0, 1], [2, 1], [0, 2], [1, 1]],
  [[2, 0], [1, 1], [0, 2], [1, 0], [0, 1]],
];
/** W^O: what joins the heads, 4 numbers to 4. */
export const JOIN: readonly (readonly number[])[] = [
  [1, 0, 0, 1], [0, 1, 0, -1], [0, 1, 1, 0], [1, 0, -1, 0],
];

/** Numbers that look normally distributed, the same ones every time: mulberry32, Box and Muller. */
export function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
