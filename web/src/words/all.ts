// the catalogues: one a language, all with the same keys
import { en } from "./en.ts";
import { he } from "./he.ts";
import { pl } from "./pl.ts";
import { th } from "./th.ts";

export type Words = Record<keyof typeof en, string>;
export type Language = "en" | "th" | "pl" | "he";

export const catalogues: Record<Language, Words> = { en, th, pl, he };
