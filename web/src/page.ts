// the page's own data blocks -> what is to be shown
import type { PageData } from "./trace.ts";
import type { Language, Words } from "./words/all.ts";

/** The JSON of a block that holds gzip in base64. */
async function unpacked<T>(id: string): Promise<T | undefined> {
  const block = document.getElementById(id);
  if (!block?.textContent) return undefined;
  const packed = Uint8Array.from(atob(JSON.parse(block.textContent)), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as T;
}

export const words = () => unpacked<Record<Language, Words>>("words");
export const data = () => unpacked<PageData | null>("data");
