// the lesson: eight parts, one at a time, the part in the address
import type { FunctionComponent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { address, toPart } from "../parts/address.ts";
import { say, type Key } from "../parts/words.ts";
import { AllAtOnce } from "./all_at_once.tsx";
import { Anew } from "./anew.tsx";
import { Bottleneck } from "./bottleneck.tsx";
import { ByHand } from "./by_hand.tsx";
import { Paper } from "./paper.tsx";
import { Questions } from "./questions.tsx";
import { Whole } from "./whole.tsx";
import { WhoAsks } from "./who_asks.tsx";

const PARTS: readonly { title: Key; body: FunctionComponent }[] = [
  { title: "p1", body: Bottleneck },
  { title: "p2", body: ByHand },
  { title: "p3", body: AllAtOnce },
  { title: "p4", body: WhoAsks },
  { title: "p5", body: Anew },
  { title: "p6", body: Whole },
  { title: "p7", body: Paper },
  { title: "p8", body: Questions },
];

export function Lesson() {
  const asked = Number(address.value.part);
  const part = PARTS[asked - 1] ? asked : 1;
  const { title, body: Body } = PARTS[part - 1];
  const heading = useHeading(part);
  return (
    <>
      <Contents part={part} />
      <article class="part">
        <p class="part-number">{say("part", { number: part })}</p>
        <h1 ref={heading} tabIndex={-1}>
          {say(title)}
        </h1>
        <Body key={part} />
      </article>
      <Onwards part={part} />
    </>
  );
}

/** A new part begins at its heading, for the eye and for the keyboard. */
function useHeading(part: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(part);
  useLayoutEffect(() => {
    if (shown.current === part) return;
    shown.current = part;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [part]);
  return heading;
}

const Contents = ({ part }: { part: number }) => (
  <nav class="contents" aria-label={say("contents")}>
    <ol>
      {PARTS.map(({ title }, place) => (
        <li>
          <a href={toPart(place + 1)} aria-current={place + 1 === part ? "page" : undefined}>
            <span>{say(title)}</span>
          </a>
        </li>
      ))}
    </ol>
  </nav>
);

const Onwards = ({ part }: { part: number }) => (
  <nav class="onwards" aria-label={say("onwards")}>
    {part > 1 && (
      <a href={toPart(part - 1)} rel="prev">
        <small>{say("back")}</small>
        {say(PARTS[part - 2].title)}
      </a>
    )}
    {part < PARTS.length && (
      <a href={toPart(part + 1)} rel="next">
        <small>{say("on")}</small>
        {say(PARTS[part].title)}
      </a>
    )}
  </nav>
);
