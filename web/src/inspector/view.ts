// an attention, words or pieces, signs or none, a temperature -> the table of weights that is shown
import { thickness } from "../parts/scale.ts";
import type { Attended, Side } from "../trace.ts";

export type Unit = "words" | "pieces";
export type Signs = "keep" | "hide" | "renormalise";

/** What stands along one side of the table: texts, and the pieces that each is made of. */
export interface Axis {
  texts: readonly string[];
  pieces: readonly (readonly number[])[];
}

export interface Grid {
  queries: Axis;
  keys: Axis;
  /** Row after row. */
  weights: Float32Array;
  /** 1 where a query may look. */
  allowed: Uint8Array;
}

export function axis(side: Side, unit: Unit, signs: Signs): Axis {
  const kept = side.pieces.map((_, place) => place).filter((p) => signs === "keep" || !side.special[p]);
  if (unit === "pieces")
    return { texts: kept.map((place) => side.pieces[place]!), pieces: kept.map((place) => [place]) };
  const words = [...new Set(kept.map((place) => side.word_of[place]!))];
  return {
    texts: words.map((word) => side.words[word]!),
    pieces: words.map((word) => kept.filter((place) => side.word_of[place] === word)),
  };
}

/** The sum over the pieces of a key, the mean over those of a query. */
export function grid(
  attended: Attended,
  head: number,
  queries: Axis,
  keys: Axis,
  { temperature = 1, renormalise = false } = {},
): Grid {
  const columns = keys.texts.length;
  const weights = new Float32Array(queries.texts.length * columns);
  const allowed = new Uint8Array(weights.length);
  const table = attended.table;
  queries.pieces.forEach((asking, query) => {
    const start = query * columns;
    for (const piece of asking) {
      const row = attended.row(head, piece, temperature);
      const first = piece * attended.keys;
      for (let key = 0; key < columns; key++)
        for (const place of keys.pieces[key]!) {
          weights[start + key]! += row[place]! / asking.length;
          if (table[first + place]) allowed[start + key] = 1;
        }
    }
    if (renormalise) divide(weights.subarray(start, start + columns));
  });
  return { queries, keys, weights, allowed };
}

/** So that they sum to 1, unless there is nothing. */
function divide(row: Float32Array): void {
  const sum = row.reduce((a, b) => a + b, 0);
  if (sum > 0) row.forEach((weight, key) => (row[key] = weight / sum));
}

/** Weights of one query, or of all queries for one key. */
export function line(shown: Grid, at: Place): number[] {
  const columns = shown.keys.texts.length;
  if (at.side === "query")
    return Array.from(shown.weights.subarray(at.place * columns, (at.place + 1) * columns));
  return shown.queries.texts.map((_, query) => shown.weights[query * columns + at.place]!);
}

/** The word that is looked at: one that asks, or one that is asked. */
export interface Place {
  side: "query" | "key";
  place: number;
}

/** Whether letters of this text run from right to left. */
export const runsLeft = (text: string): boolean =>
  /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text.match(/\p{L}/u)?.[0] ?? "");

/** Lines here are a third as thick as in the lesson, all of them: still linear in the weight. */
export const width = (weight: number): number => thickness(weight) / 3;
