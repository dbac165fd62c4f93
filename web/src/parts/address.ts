// the address <-> the view: what stands after # says exactly what is shown
import { signal } from "@preact/signals";

const read = (): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(window.location.hash.slice(1)));

/** Names and values after the # of the address. */
export const address = signal<Record<string, string>>(read());

window.addEventListener("hashchange", () => {
  address.value = read();
});

type Changes = Record<string, string | undefined>;

/** The names and values of now, some of them changed; an `undefined` takes a name away. */
function changed(changes: Changes): Record<string, string> {
  const next: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...address.value, ...changes }))
    if (value !== undefined) next[name] = value;
  return next;
}

/** The address of a part of the lesson, and of a section of it, all else as it is. */
export const toPart = (part: number, at?: string): string =>
  `#${new URLSearchParams(changed({ part: String(part), at }))}`;

/** Changes some of them; `step` leaves a way back. */
export function go(changes: Changes, step = false): void {
  const next = changed(changes);
  const hash = `#${new URLSearchParams(next)}`;
  try {
    if (step) window.history.pushState(null, "", hash);
    else window.history.replaceState(null, "", hash);
  } catch {
    // A page inside another (a notebook) has no address of its own to change.
  }
  address.value = next;
}

window.addEventListener("popstate", () => {
  address.value = read();
});
