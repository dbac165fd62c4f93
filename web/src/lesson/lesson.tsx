// the lesson: eight parts, one at a time, the part in the address
import type { FunctionComponent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { address } from "../parts/address.ts";
import { PartLink } from "../parts/link.tsx";
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
  const heading = useArrival(part, address.value.at);
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

/** A new part begins at its heading, or at the section asked for: for the eye and the keyboard. */
function useArrival(part: number, at: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  useLayoutEffect(() => {
    const section = at ? document.getElementById(at) : null;
    if (section || !first.current) (section ?? heading.current)?.focus({ preventScroll: true });
    if (section) section.scrollIntoView();
    else if (!first.current) window.scrollTo(0, 0);
    first.current = false;
  }, [part, at]);
  return heading;
}

const Contents = ({ part }: { part: number }) => (
  <nav class="contents" aria-label={say("contents")}>
    <ol>
      {PARTS.map(({ title }, place) => (
        <li>
          <PartLink part={place + 1} aria-current={place + 1 === part ? "page" : undefined}>
            <span>{say(title)}</span>
          </PartLink>
        </li>
      ))}
    </ol>
  </nav>
);

const Onwards = ({ part }: { part: number }) => (
  <nav class="onwards" aria-label={say("onwards")}>
    {part > 1 && (
      <PartLink part={part - 1} rel="prev">
        <small>{say("back")}</small>
        {say(PARTS[part - 2].title)}
      </PartLink>
    )}
    {part < PARTS.length && (
      <PartLink part={part + 1} rel="next">
        <small>{say("on")}</small>
        {say(PARTS[part].title)}
      </PartLink>
    )}
  </nav>
);
