// the catalogues: one a language, all with the same keys; the lesson's and the inspector's
import { en } from "./en.ts";
import { he } from "./he.ts";
import { look } from "./look/all.ts";
import { pl } from "./pl.ts";
import { th } from "./th.ts";

/** The keys of the lesson, and of everything that both views share. */
export type Lesson = Record<keyof typeof en, string>;
export type Words = Lesson & Record<keyof typeof look.en, string>;
export type Language = "en" | "th" | "pl" | "he";

export const catalogues: Record<Language, Words> = {
  en: { ...en, ...look.en },
  th: { ...th, ...look.th },
  pl: { ...pl, ...look.pl },
  he: { ...he, ...look.he },
};
