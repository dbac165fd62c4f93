// what is shown -> an SVG, a PNG, a CSV, a link
import { fixed } from "../parts/numbers.ts";
import { colour } from "../parts/scale.ts";
import type { Grid } from "./view.ts";

const CELL = 26;
const MARGIN = 130;

const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");

const cut = (text: string): string => {
  const letters = [...text];
  return letters.length > 14 ? `${letters.slice(0, 13).join("")}…` : text;
};

const hex = (weight: number): string =>
  `#${colour(weight, "light").map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** The table as a picture that stands alone; what is forbidden is hatched. */
export function svg(shown: Grid, title: string): string {
  const rows = shown.queries.texts;
  const columns = shown.keys.texts;
  const width = MARGIN + CELL * Math.max(columns.length, 8) + 70;
  const height = MARGIN + CELL * rows.length + 46;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    '<defs><pattern id="forbidden" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0" stroke="#9aa3ad"/></pattern></defs>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="12" y="22" font-weight="600">${escaped(title)}</text>`,
  ];
  columns.forEach((text, key) => {
    const x = MARGIN + CELL * (key + 0.65);
    parts.push(`<text transform="rotate(-60 ${x} ${MARGIN - 6})" x="${x}" y="${MARGIN - 6}">${escaped(cut(text))}</text>`);
  });
  rows.forEach((text, query) => {
    const y = MARGIN + CELL * query;
    parts.push(`<text x="${MARGIN - 8}" y="${y + CELL * 0.68}" text-anchor="end">${escaped(cut(text))}</text>`);
    columns.forEach((_, key) => {
      const cell = query * columns.length + key;
      const fill = shown.allowed[cell] ? hex(shown.weights[cell]!) : "url(#forbidden)";
      parts.push(`<rect x="${MARGIN + CELL * key}" y="${y}" width="${CELL - 1}" height="${CELL - 1}" fill="${fill}"/>`);
    });
  });
  const foot = height - 28;
  for (let step = 0; step <= 20; step++)
    parts.push(`<rect x="${MARGIN + 8 * step}" y="${foot}" width="8" height="10" fill="${hex(step / 20)}"/>`);
  parts.push(`<text x="${MARGIN - 8}" y="${foot + 10}" text-anchor="end">0</text>`);
  parts.push(`<text x="${MARGIN + 174}" y="${foot + 10}">1</text>`, "</svg>");
  return parts.join("\n");
}

/** Weights as rows of text; a forbidden one is empty. */
export function csv(shown: Grid): string {
  const quoted = (text: string) => `"${text.replace(/"/g, '""')}"`;
  const columns = shown.keys.texts.length;
  const lines = [["", ...shown.keys.texts.map(quoted)].join(",")];
  shown.queries.texts.forEach((text, query) => {
    const row = Array.from({ length: columns }, (_, key) => {
      const cell = query * columns + key;
      return shown.allowed[cell] ? fixed(shown.weights[cell]!, 6) : "";
    });
    lines.push([quoted(text), ...row].join(","));
  });
  return `${lines.join("\r\n")}\r\n`;
}

/** The same picture, drawn at twice its size. */
export async function png(picture: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("too large"))), "image/png"),
  );
}

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
