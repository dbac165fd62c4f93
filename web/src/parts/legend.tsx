// the scale of colours -> its legend; the theme that it is in
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { colour, css } from "./scale.ts";
import { say } from "./words.ts";

/** The theme that the reader's machine asks for, and its changes. */
export function useTheme(): "light" | "dark" {
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = useSignal<"light" | "dark">(query.matches ? "dark" : "light");
  useEffect(() => {
    const change = () => (theme.value = query.matches ? "dark" : "light");
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return theme.value;
}

/** The legend of `colour`, from 0 to 1. */
export function Legend() {
  const theme = useTheme();
  const steps = Array.from({ length: 11 }, (_, step) => step / 10);
  return (
    <div class="legend" role="img" aria-label={say("legend")}>
      <span>0</span>
      <span class="legend-steps" dir="ltr">
        {steps.map((step) => (
          <span style={{ background: css(colour(step, theme)) }} />
        ))}
      </span>
      <span>1</span>
    </div>
  );
}
