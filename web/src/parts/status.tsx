// what changed -> one line that is seen under its figure, and one that is heard
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

const heard = signal("");
let later: number | undefined;

/** Says a line to those who listen, once the changes have come to rest. */
export function announce(line: string): void {
  window.clearTimeout(later);
  later = window.setTimeout(() => (heard.value = line), 150);
}

/** The one live region of the page. */
export const Heard = () => (
  <div role="status" class="unseen">
    <bdi>{heard}</bdi>
  </div>
);

/** A figure's own line, its fields apart by strokes, each in its own direction; it is heard when it changes, not when it first appears. */
export function StatusLine({ line, id }: { line: string; id?: string }) {
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) announce(line);
    first.current = false;
  }, [line]);
  return (
    <p class="status-line" id={id}>
      {line.split(" | ").map((field, place) => (
        <>
          {place > 0 && " | "}
          <bdi>{field}</bdi>
        </>
      ))}
    </p>
  );
}
