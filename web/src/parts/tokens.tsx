// words of a sentence -> buttons: click, Tab and Enter, arrows
import { useRef } from "preact/hooks";
import type { ComponentChildren, CSSProperties } from "preact";

interface TokensProps {
  label: string;
  words: readonly string[];
  chosen: number;
  choose: (place: number) => void;
  lang?: string;
  /** What stands below a word. */
  under?: (place: number) => ComponentChildren;
  place?: (place: number) => CSSProperties;
  class?: string;
}

/** Keys that move among `length` places; undefined where the key means nothing. */
export function moved(key: string, place: number, length: number, rtl: boolean): number | undefined {
  const next = rtl ? "ArrowLeft" : "ArrowRight";
  const previous = rtl ? "ArrowRight" : "ArrowLeft";
  if (key === next || key === "ArrowDown") return (place + 1) % length;
  if (key === previous || key === "ArrowUp") return (place + length - 1) % length;
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  return undefined;
}

export function Tokens({ label, words, chosen, choose, lang, under, place, ...rest }: TokensProps) {
  const row = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent, at: number) => {
    const rtl = row.current !== null && getComputedStyle(row.current).direction === "rtl";
    const to = moved(event.key, at, words.length, rtl);
    if (to === undefined) return;
    event.preventDefault();
    row.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div ref={row} class={`tokens ${rest.class ?? ""}`} role="group" aria-label={label} lang={lang}>
      {words.map((word, at) => (
        <div class="token" style={place?.(at)}>
          <button
            type="button"
            aria-pressed={at === chosen}
            data-place={at}
            onClick={() => choose(at)}
            onKeyDown={(event) => press(event, at)}
          >
            <bdi>{word}</bdi>
          </button>
          {under && <span class="token-under">{under(at)}</span>}
        </div>
      ))}
    </div>
  );
}
