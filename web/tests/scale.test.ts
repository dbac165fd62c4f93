import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL, colour, thickness } from "../src/parts/scale.ts";

test("lines are as thick as their weights, on one scale", () => {
  for (const weight of [0, 0.01, 0.1, 0.25, 0.5, 0.9, 1])
    assert.equal(thickness(weight), FULL * weight);
  assert.equal(thickness(0.6), 2 * thickness(0.3));
});

/** Relative luminance, as WCAG has it. */
function luminance(parts: readonly number[]): number {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("the scale of colours is a scale of lightness, so that no colour need be told from another", () => {
  const steps = Array.from({ length: 101 }, (_, step) => step / 100);
  const light = steps.map((weight) => luminance(colour(weight, "light")));
  const dark = steps.map((weight) => luminance(colour(weight, "dark")));
  for (let step = 1; step <= 100; step++) {
    assert.ok(light[step] < light[step - 1], `light ${step}`);
    assert.ok(dark[step] > dark[step - 1], `dark ${step}`);
  }
});
