// the inspector's catalogues: one a language, all with the same keys
import { en } from "./en.ts";
import { he } from "./he.ts";
import { pl } from "./pl.ts";
import { th } from "./th.ts";

export type Look = Record<keyof typeof en, string>;

export const look: Record<"en" | "th" | "pl" | "he", Look> = { en, th, pl, he };
