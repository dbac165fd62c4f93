// weights and values of one query -> how long each term of the sum is, and the sum itself
import type { Attended } from "../trace.ts";
import { temperature } from "./state.ts";

interface Terms {
  /** How long each key's value is; NaN for a word of several pieces, which has several. */
  values: number[];
  /** How long each weight times value is; of a word, the sum of its pieces'. */
  each: number[];
  /** How long their sum is. */
  all: number;
}

/**
 * The terms of the mixture that a query of one or several pieces makes, on average over them.
 * `weights` are those that are shown: where rows were divided anew, so are the terms.
 */
export function terms(
  attended: Attended,
  head: number,
  asking: readonly number[],
  keys: readonly (readonly number[])[],
  weights: readonly number[],
): Terms {
  const { norms, mixed, values } = attended.mixture!;
  const norm = (piece: number) => norms[head * attended.keys + piece]!;
  const lengths = keys.map((pieces) => (pieces.length === 1 ? norm(pieces[0]!) : NaN));
  if (!values) {
    const whole = keys.length === attended.keys && temperature.value === 1;
    return {
      values: lengths,
      each: lengths.map((length, key) => length * weights[key]!),
      all: whole ? mixed[head * attended.queries + asking[0]!]! : NaN,
    };
  }
  const size = values.length / (attended.heads * attended.keys);
  const all = new Float64Array(size);
  const rows = asking.map((piece) => attended.row(head, piece, temperature.value));
  const each = keys.map((pieces, key) => {
    const share = (piece: number) => rows.reduce((sum, row) => sum + row[piece]!, 0) / rows.length;
    const given = pieces.reduce((sum, piece) => sum + share(piece), 0);
    const anew = given > 0 ? weights[key]! / given : 0;
    const term = new Float64Array(size);
    for (const piece of pieces) {
      const start = (head * attended.keys + piece) * size;
      for (let i = 0; i < size; i++) term[i]! += anew * share(piece) * values[start + i]!;
    }
    term.forEach((part, i) => (all[i]! += part));
    return Math.hypot(...term);
  });
  return { values: lengths, each, all: Math.hypot(...all) };
}
