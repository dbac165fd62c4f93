// a weight -> how thick, how dark: one scale, 0 to 1, for all that a picture shows

/** The width of a line that carries everything, in pixels. */
export const FULL = 36;

/** Linear in the weight, with no smallest width: half the weight, half the line. */
export const thickness = (weight: number): number => FULL * weight;

type Colour = readonly [number, number, number];
// Both ramps run through one hue, evenly in lightness, so that they read the same for everybody.
const RAMPS: Record<"light" | "dark", readonly Colour[]> = {
  light: [[247, 249, 251], [178, 205, 226], [89, 145, 190], [32, 88, 140], [9, 40, 80]],
  dark: [[26, 32, 39], [31, 67, 102], [52, 113, 163], [119, 172, 212], [226, 240, 250]],
};

/** Red, green and blue, 0 to 255, of a weight from 0 to 1. */
export function colour(weight: number, theme: "light" | "dark"): Colour {
  const ramp = RAMPS[theme];
  const place = Math.min(1, Math.max(0, weight)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(place));
  const part = place - low;
  return [0, 1, 2].map((i) =>
    Math.round(ramp[low][i] + part * (ramp[low + 1][i] - ramp[low][i])),
  ) as unknown as Colour;
}

export const css = ([red, green, blue]: Colour): string => `rgb(${red} ${green} ${blue})`;
