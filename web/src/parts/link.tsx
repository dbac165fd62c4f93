// a way to a part of the lesson, also where the page stands in another and has no address to change
import type { ComponentChildren } from "preact";
import { go, toPart } from "./address.ts";

interface PartLinkProps {
  part: number;
  /** A section of that part, by its id. */
  at?: string;
  rel?: string;
  class?: string;
  "aria-current"?: "page";
  children: ComponentChildren;
}

export function PartLink({ part, at, ...rest }: PartLinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own
    event.preventDefault();
    go({ part: String(part), at }, true);
  };
  return <a {...rest} href={toPart(part, at)} onClick={follow} />;
}
