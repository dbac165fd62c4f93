// keys -> words in the reader's language
import { computed } from "@preact/signals";
import type { Language, Words } from "../words/all.ts";
import { address, go } from "./address.ts";

export const LANGUAGES: Record<Language, string> = {
  en: "English",
  th: "ไทย",
  pl: "Polski",
  he: "עברית",
};

let catalogues: Record<Language, Words>;

export function speak(words: Record<Language, Words>): void {
  catalogues = words;
}

/** The language of the address, else of the browser, else English. */
export const language = computed<Language>(() => {
  const asked = [address.value.lang, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return (asked.find((tag) => tag in catalogues) as Language | undefined) ?? "en";
});

export const direction = computed<"ltr" | "rtl">(() => (language.value === "he" ? "rtl" : "ltr"));

export const choose = (tag: string): void => go({ lang: tag });

export type Key = keyof Words;

/** The words of a key, `{name}` replaced by the value of that name. */
export function say(key: Key, values: Record<string, string | number> = {}): string {
  return catalogues[language.value][key].replace(/\{(\w+)\}/g, (whole, name) =>
    name in values ? String(values[name]) : whole,
  );
}
