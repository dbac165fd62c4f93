// numbers -> the digits that people see: computed in full, rounded only to be shown

/** Half away from zero, undisturbed by the last bit of a binary fraction: 0.145 is 0.15. */
export function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  const whole = Math.round(Math.abs(value) * scale * (1 + 4 * Number.EPSILON));
  return whole === 0 ? 0 : (Math.sign(value) * whole) / scale;
}

export const fixed = (value: number, digits: number): string =>
  Number.isFinite(value) ? rounded(value, digits).toFixed(digits).replace("-", "−") : infinite(value);

const infinite = (value: number): string =>
  Number.isNaN(value) ? "–" : value < 0 ? "−∞" : "∞";

/** A share as a whole percentage. */
export const percent = (share: number): string => `${fixed(share * 100, 0)}%`;

/** Digits in groups of three, by narrow spaces that do not break. */
export const grouped = (value: number): string =>
  fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, "\u202f");
