// the page's own data blocks -> what is to be shown
import { bytes, type PageData } from "./trace.ts";
import type { Language, Words } from "./words/all.ts";

/** The JSON of a block that holds gzip in base64. */
async function unpacked<T>(id: string): Promise<T | undefined> {
  const block = document.getElementById(id);
  if (!block?.textContent) return undefined;
  const stream = new Blob([bytes(JSON.parse(block.textContent))]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as T;
}

export const words = () => unpacked<Record<Language, Words>>("words");
export const data = () => unpacked<PageData | null>("data");
