// scores, values -> shares, sums: section 3.2.1 of the paper on plain arrays

/** `softmax(scores / temperature)` over what is allowed; the others get exactly 0. */
export function softmax(
  scores: readonly number[],
  temperature = 1,
  allowed?: readonly boolean[],
): number[] {
  const open = scores.map((score, key) => (allowed?.[key] ?? true ? score / temperature : -Infinity));
  const most = Math.max(...open);
  if (most === -Infinity) return open.map(() => 0);
  const powers = open.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, place) => sum + value * b[place], 0);

/** The values (one row each), added up by their weights. */
export const mix = (
  weights: readonly number[],
  values: readonly (readonly number[])[],
): number[] =>
  values[0].map((_, column) => dot(weights, values.map((row) => row[column])));

/** Row times matrix (rows x columns). */
export const times = (
  row: readonly number[],
  matrix: readonly (readonly number[])[],
): number[] => mix(row, matrix);

/** Places of the largest value; several where they tie. */
export function strongest(weights: readonly number[]): number[] {
  const most = Math.max(...weights);
  return weights.flatMap((weight, place) => (most - weight < 1e-9 ? [place] : []));
}

/** What a decoder may look at: everything up to the query, itself included. */
export const upTo = (query: number, keys: number): boolean[] =>
  Array.from({ length: keys }, (_, key) => key <= query);
