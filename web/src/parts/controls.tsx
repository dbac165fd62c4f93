// the reader's hand -> values: sliders, choices, numbers, all of them the browser's own
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** What is shown and said instead of the bare number. */
  text?: string;
  change: (value: number) => void;
}

export function Slider({ label, value, min, max, step = 1, text, change }: SliderProps) {
  const shown = text ?? String(value);
  const id = useId();
  return (
    <div class="slider">
      <label class="slider-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={shown}
        onInput={(event) => change(event.currentTarget.valueAsNumber)}
      />
      <output for={id}>
        <bdi>{shown}</bdi>
      </output>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; lang?: string }[];
  change: (value: T) => void;
}

/** One of a few: radio buttons, drawn as one strip. */
export function Choice<T extends string>({ label, value, options, change }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label lang={option.lang}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => change(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface NumberProps {
  label: string;
  value: number;
  change: (value: number) => void;
  step?: number;
  min?: number;
  max?: number;
}

/** A number that can be changed; what is no number is not taken. */
export function NumberField({ label, value, change, step = 0.25, min, max }: NumberProps) {
  return (
    <input
      class="number"
      type="number"
      dir="ltr"
      aria-label={label}
      value={value}
      step={step}
      min={min}
      max={max}
      onInput={(event) => {
        const number = event.currentTarget.valueAsNumber;
        if (Number.isFinite(number) && number >= (min ?? -99) && number <= (max ?? 99))
          change(number);
      }}
    />
  );
}

interface ToggleProps {
  on: boolean;
  change: (on: boolean) => void;
  children: ComponentChildren;
}

export const Toggle = ({ on, change, children }: ToggleProps) => (
  <label class="toggle">
    <input
      type="checkbox"
      checked={on}
      onChange={(event) => change(event.currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);
