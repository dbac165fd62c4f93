// the catalogues: one a language, all with the same keys
import { en } from "./en.ts";

export type Words = Record<keyof typeof en, string>;
export type Language = "en" | "th" | "pl" | "he";

export const catalogues: Partial<Record<Language, Words>> = { en };
