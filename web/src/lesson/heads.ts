// toy rows, or a head of the reader's own model -> what a figure shows, the same for both
import { signal } from "@preact/signals";
import { first as looked, layersOf } from "../inspector/state.ts";
import { softmax } from "../parts/arithmetic.ts";
import { sides, type Attended, type Kind } from "../trace.ts";
import { ROWS, sentence } from "./toy.ts";

/** Whether figures that can show either show the model. */
export const asked = signal<"toy" | "model">("toy");

export interface Head {
  toy: boolean;
  queries: readonly string[];
  keys: readonly string[];
  /** Shares of one query at a temperature; with `causal`, of a decoder that sees no later word. */
  row: (query: number, temperature?: number) => number[];
  /** What the softmax divides; NaN where a trace brings the weights alone. */
  scores: (query: number) => number[];
  allowed: (query: number) => boolean[];
  /** Values of a model, one row a key, where its trace has them. */
  values?: readonly (readonly number[])[];
}

/** The invented rows: their scores are the logarithms of their shares. */
export const toyHead = (causal: boolean): Head => {
  const allowed = (query: number) => ROWS.map((_, key) => !causal || key <= query);
  return {
    toy: true,
    queries: sentence(),
    keys: sentence(),
    row: (query, temperature = 1) => softmax(ROWS[query].map(Math.log), temperature, allowed(query)),
    scores: (query) => ROWS[query].map(Math.log),
    allowed,
  };
};

/** Attentions of the model of one kind, layer by layer; none where it has none. */
export const layers = (kind: Kind): Attended[] => (looked.value ? layersOf(looked.value, kind) : []);

/** One head of the model. */
export function modelHead(kind: Kind, layer: number, head: number): Head | undefined {
  const attended = layers(kind)[layer];
  if (!looked.value || !attended) return undefined;
  const [queries, keys] = sides(looked.value, kind);
  const values = attended.mixture?.values;
  const size = values ? values.length / (attended.heads * attended.keys) : 0;
  const one = (key: number) => {
    const start = (head * attended.keys + key) * size;
    return Array.from(values!.subarray(start, start + size));
  };
  return {
    toy: false,
    queries: queries.pieces,
    keys: keys.pieces,
    row: (query, temperature) => Array.from(attended.row(head, query, temperature)),
    scores: (query) =>
      Array.from(attended.scores(head, query) ?? new Array(attended.keys).fill(NaN)),
    // A trace says of each head and query what it may see: heads see the same.
    allowed: (query) =>
      keys.pieces.map((_, key) => attended.allowed(head * attended.queries + query, key)),
    values: values ? keys.pieces.map((_, key) => one(key)) : undefined,
  };
}
