// a figure of the lesson: what it is, how to work it, the figure
import type { ComponentChildren } from "preact";
import { Line } from "../parts/text.tsx";
import type { Key } from "../parts/words.ts";
import { whose } from "./switch.tsx";

interface FigureProps {
  name: string;
  title: Key;
  /** How it is worked. */
  how?: Key;
  children: ComponentChildren;
  /** Whether its numbers are invented, or a model's, and so labelled; undefined where neither. */
  toy?: boolean;
}

export function Figure({ name, title, how, children, toy }: FigureProps) {
  return (
    <section class="figure" id={name} tabIndex={-1} aria-labelledby={`${name}-title`}>
      <div class="figure-head">
        <h2 id={`${name}-title`}>
          <Line of={title} />
        </h2>
        {toy !== undefined && (
          <span class={toy ? "label" : "label label-model"}>{whose(toy)}</span>
        )}
      </div>
      {how && (
        <p class="how">
          <Line of={how} />
        </p>
      )}
      {children}
    </section>
  );
}

/** A share as a bar with its number; one that is forbidden is hatched and says so. */
export function Bar({ share, text, forbidden }: { share: number; text: string; forbidden?: boolean }) {
  return (
    <span class={forbidden ? "bar-row bar-forbidden" : "bar-row"}>
      <span class="bar-frame" aria-hidden="true">
        <span class="bar" style={{ width: `${share * 100}%` }} />
      </span>
      <bdi class="bar-text">{text}</bdi>
    </span>
  );
}
