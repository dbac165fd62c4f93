// the frame of the page: where one is, in which language, and the line that is heard
import { useEffect } from "preact/hooks";
import { Inspector } from "./inspector/inspector.tsx";
import { server } from "./inspector/live.tsx";
import { recorded } from "./inspector/state.ts";
import { Lesson } from "./lesson/lesson.tsx";
import { address, go } from "./parts/address.ts";
import { Choice } from "./parts/controls.tsx";
import { Heard } from "./parts/status.tsx";
import { LANGUAGES, choose, direction, language, say } from "./parts/words.ts";

/** Whether there is anything but the lesson; it is what the page begins with. */
const hasModel = (): boolean => recorded.value.length > 0 || server.value !== null;

export function Shell() {
  const view = hasModel() && address.value.view !== "lesson" ? "look" : "lesson";
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = direction.value;
    document.title = `regard: ${say(view === "look" ? "inspector_title" : "title")}`;
  }, [language.value, view]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => toMain(event)}>
        {say(view === "look" ? "skip_look" : "skip")}
      </a>
      <header class="top">
        <p class="brand" lang="en" dir="ltr">
          regard
        </p>
        {hasModel() && (
          <Choice
            label={say("view")}
            value={view}
            options={[
              { value: "look", label: say("inspector") },
              { value: "lesson", label: say("lesson") },
            ]}
            change={(value) => go({ view: value }, true)}
          />
        )}
        <Choice
          label={say("language")}
          value={language.value}
          options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }))}
          change={choose}
        />
      </header>
      <main id="main" tabIndex={-1}>
        {view === "look" ? <Inspector /> : <Lesson />}
      </main>
      <Heard />
    </>
  );
}

/** The address says the view, so that a jump must not change it. */
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
