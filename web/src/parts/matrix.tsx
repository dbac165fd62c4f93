// weights, rows x columns -> a picture of them on one canvas
import { useLayoutEffect, useRef } from "preact/hooks";
import { useTheme } from "./legend.tsx";
import { colour, css } from "./scale.ts";

interface MatrixProps {
  label: string;
  /** Row after row, each from 0 to 1. */
  weights: ArrayLike<number>;
  rows: number;
  columns: number;
  /** True where looking is allowed; what is not is hatched, not merely pale. */
  allowed?: ArrayLike<boolean | number>;
  /** A row to be framed. */
  row?: number;
  width?: number;
  height?: number;
  choose?: (row: number, column: number) => void;
}

export function Matrix(props: MatrixProps) {
  const { label, rows, columns, width = 240, height = 240, choose } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = useTheme();
  useLayoutEffect(() => draw(canvas.current!, props, theme));
  return (
    <canvas
      ref={canvas}
      class="matrix"
      role="img"
      aria-label={label}
      style={{ width: `${width}px`, height: `${height}px` }}
      onClick={(event) => {
        const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
        const at = (place: number, size: number, count: number) =>
          Math.min(count - 1, Math.max(0, Math.floor((place / size) * count)));
        choose?.(at(event.clientY - top, height, rows), at(event.clientX - left, width, columns));
      }}
    />
  );
}

function draw(canvas: HTMLCanvasElement, props: MatrixProps, theme: "light" | "dark"): void {
  const { weights, rows, columns, allowed, row, width = 240, height = 240 } = props;
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = canvas.getContext("2d")!;
  pen.scale(sharp, sharp);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(cells(weights, rows, columns, theme), 0, 0, width, height);
  const wide = width / columns;
  const high = height / rows;
  if (allowed) {
    pen.fillStyle = hatching(pen, theme);
    for (let cell = 0; cell < rows * columns; cell++)
      if (!allowed[cell])
        pen.fillRect((cell % columns) * wide, Math.floor(cell / columns) * high, wide, high);
  }
  if (row !== undefined) {
    pen.strokeStyle = theme === "dark" ? "#f0a35e" : "#a8480f";
    pen.lineWidth = 2;
    pen.strokeRect(1, row * high, width - 2, Math.max(high, 2));
  }
}

/** One pixel a weight; the browser makes it large. */
function cells(
  weights: ArrayLike<number>,
  rows: number,
  columns: number,
  theme: "light" | "dark",
): HTMLCanvasElement {
  const small = document.createElement("canvas");
  small.width = columns;
  small.height = rows;
  const pen = small.getContext("2d")!;
  const image = pen.createImageData(columns, rows);
  for (let cell = 0; cell < rows * columns; cell++) {
    image.data.set(colour(weights[cell], theme), cell * 4);
    image.data[cell * 4 + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
  return small;
}

function hatching(pen: CanvasRenderingContext2D, theme: "light" | "dark"): CanvasPattern {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const ink = tile.getContext("2d")!;
  ink.fillStyle = css(colour(0, theme));
  ink.fillRect(0, 0, 6, 6);
  ink.strokeStyle = theme === "dark" ? "#7d8792" : "#8a8f96";
  ink.beginPath();
  ink.moveTo(-1, 7);
  ink.lineTo(7, -1);
  ink.stroke();
  return pen.createPattern(tile, "repeat")!;
}
