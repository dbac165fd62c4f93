import assert from "node:assert/strict";
import { test } from "node:test";
import { mix, softmax, strongest, upTo } from "../src/parts/arithmetic.ts";
import { fixed, grouped, percent, rounded } from "../src/parts/numbers.ts";

const near = (found: number[], wanted: number[], within = 5e-5) =>
  found.forEach((value, place) => assert.ok(Math.abs(value - wanted[place]) < within, `${found}`));

test("shares follow exp(score / temperature)", () => {
  const scores = [18, 12, 40, 10, 20].map((share) => Math.log(share / 100));
  near(softmax(scores), [0.18, 0.12, 0.4, 0.1, 0.2]);
  near(softmax(scores, 0.5), [0.1262, 0.0561, 0.6231, 0.0389, 0.1558]);
  near(softmax(scores, 3), [0.1986, 0.1735, 0.2591, 0.1632, 0.2057]);
});

test("large scores with no lead are shared equally, and nothing overflows", () => {
  near(softmax([100, 100, 100]), [1 / 3, 1 / 3, 1 / 3]);
  near(softmax([1000, 0], 0.1), [1, 0]);
});

test("what is not allowed gets exactly nothing", () => {
  assert.deepEqual(softmax([3, 9, 9], 1, upTo(0, 3)), [1, 0, 0]);
  assert.deepEqual(softmax([3, 9], 1, [false, false]), [0, 0]);
});

test("values are added up by their weights", () => {
  assert.deepEqual(mix([0.25, 0.75], [[2, 0], [0, 4]]), [0.5, 3]);
});

test("ties name every place", () => {
  assert.deepEqual(strongest([0.2, 0.4, 0.4]), [1, 2]);
});

test("rounding is half away from zero, of the number that people mean", () => {
  assert.equal(rounded(0.145, 2), 0.15);
  assert.equal(rounded(1.005, 2), 1.01);
  assert.equal(rounded(-2.5, 0), -3);
  assert.equal(fixed(30.2, 2), "30.20");
  assert.equal(fixed(-0.5, 1), "−0.5");
  assert.equal(fixed(-0.0001, 2), "0.00");
  assert.equal(fixed(-Infinity, 2), "−∞");
  assert.equal(percent(0.145), "15%");
  assert.equal(grouped(1310720), "1\u202f310\u202f720");
});
