import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, svg } from "../src/inspector/save.ts";
import { axis, grid, line, runsLeft, width } from "../src/inspector/view.ts";
import { Attended, type Side } from "../src/trace.ts";

const side: Side = {
  pieces: ["the", "eleph", "ant", "</s>"],
  words: ["the", "elephant", "</s>"],
  word_of: [0, 1, 1, 2],
  special: [false, false, false, true],
};

/** Weights as the page stores them, in 16 bits; NaN is forbidden. */
function attended(rows: number[][]): Attended {
  const flat = rows.flat();
  const depths = flat.map((weight) => Math.sqrt(-Math.log(weight)));
  const scale = Math.max(...depths.filter(Number.isFinite)) / 65534;
  const codes = Uint16Array.from(depths, (depth) => (Number.isNaN(depth) ? 65535 : Math.round(depth / scale)));
  return new Attended({
    kind: "encoder",
    layer: 0,
    shape: [1, rows.length, rows[0].length],
    bits: 16,
    scale,
    codes: Buffer.from(codes.buffer).toString("base64"),
    offset: null,
    norms: null,
    mixed: null,
    values: null,
    measures: [],
  });
}

const near = (found: ArrayLike<number>, wanted: number[]) => {
  assert.equal(found.length, wanted.length);
  wanted.forEach((weight, place) => assert.ok(Math.abs(found[place] - weight) < 2e-4, `${place}: ${found[place]}`));
};

const four = attended([
  [0.1, 0.2, 0.3, 0.4],
  [0.4, 0.3, 0.2, 0.1],
  [0.25, 0.25, 0.25, 0.25],
  [0.7, 0.1, 0.1, 0.1],
]);

test("weights come back from their codes; a temperature divides the same scores anew", () => {
  near(four.row(0, 0), [0.1, 0.2, 0.3, 0.4]);
  const powers = [0.1, 0.2, 0.3, 0.4].map((weight) => weight ** 2);
  const sum = powers.reduce((a, b) => a + b);
  near(four.row(0, 0, 0.5), powers.map((power) => power / sum));
  near(four.row(0, 0, 1000), [0.25, 0.25, 0.25, 0.25]);
});

test("what is forbidden has no weight at any temperature", () => {
  const blind = attended([[0.5, 0.5, NaN], [0.2, 0.8, NaN], [0.1, 0.2, 0.7]]);
  near(blind.row(0, 0, 3), [0.5, 0.5, 0]);
  assert.equal(blind.allowed(0, 2), false);
  assert.equal(blind.allowed(2, 2), true);
});

test("words: the sum over the pieces of a key, the mean over those of a query", () => {
  const words = axis(side, "words", "keep");
  const shown = grid(four, 0, words, words);
  near(shown.weights, [0.1, 0.5, 0.4, 0.325, 0.5, 0.175, 0.7, 0.2, 0.1]);
  near(line(shown, { side: "key", place: 1 }), [0.5, 0.5, 0.2]);
});

test("hidden signs leave the rest, or the rest divided anew", () => {
  const words = axis(side, "words", "hide");
  assert.deepEqual(words.texts, ["the", "elephant"]);
  near(grid(four, 0, words, words).weights, [0.1, 0.5, 0.325, 0.5]);
  near(grid(four, 0, words, words, { renormalise: true }).weights, [1 / 6, 5 / 6, 0.325 / 0.825, 0.5 / 0.825]);
});

test("a sentence runs as its first letter does", () => {
  assert.ok(runsLeft("« חתול »"));
  assert.ok(!runsLeft("12 cats חתול"));
  assert.ok(!runsLeft("แมว"));
});

test("saved files hold any text", () => {
  const odd = { texts: ['</text>"', "a\u0000\ud800"], pieces: [[0], [1]] };
  const shown = grid(attended([[0.5, 0.5], [NaN, 1]]), 0, odd, odd);
  const picture = svg(shown, "<b>");
  assert.ok(!picture.includes("</text>&quot;</text>\n</svg"));
  assert.ok(picture.includes("&lt;/text&gt;&quot;"));
  assert.ok(!/[\u0000\ud800]/.test(picture));
  assert.equal(picture.match(/url\(#forbidden\)/g)?.length, 1);
  assert.equal(csv(shown).split("\r\n")[2], '"a\u0000\ud800",,1.000000');
});

test("lines are as thick as their weights, on one scale", () => {
  for (const weight of [0, 0.01, 0.3, 1]) assert.ok(Math.abs(width(weight) - weight * width(1)) < 1e-12);
});
