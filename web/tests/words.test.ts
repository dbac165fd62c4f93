import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogues } from "../src/words/all.ts";

const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();
const { en, ...others } = catalogues;

for (const [language, words] of Object.entries(others)) {
  test(`${language} fills in what English fills in`, () => {
    for (const [key, text] of Object.entries(words))
      assert.deepEqual([...new Set(names(text))], [...new Set(names(en[key as keyof typeof en]))], key);
  });

  test(`${language} has the same formulas' and links' marks in pairs`, () => {
    for (const [key, text] of Object.entries(words)) {
      assert.equal(text.split("`").length % 2, 1, key);
      assert.equal(text.split("[[").length, text.split("]]").length, key);
    }
  });

  test(`${language} leads to the sources wherever English does`, () => {
    for (const [key, text] of Object.entries(words))
      assert.equal(text.split("[[").length, en[key as keyof typeof en].split("[[").length, key);
  });
}
