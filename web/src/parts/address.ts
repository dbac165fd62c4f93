// the address <-> the view: what stands after # says exactly what is shown
import { signal } from "@preact/signals";

const read = (): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(window.location.hash.slice(1)));

/** Names and values after the # of the address. */
export const address = signal<Record<string, string>>(read());

window.addEventListener("hashchange", () => {
  address.value = read();
});

/** The address of a part of the lesson, all else as it is. */
export const toPart = (part: number): string =>
  `#${new URLSearchParams({ ...address.value, part: String(part) })}`;

/** Changes some of them; an `undefined` takes a name away. `step` leaves a way back. */
export function go(changes: Record<string, string | undefined>, step = false): void {
  const next: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...address.value, ...changes }))
    if (value !== undefined) next[name] = value;
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
