// the frame of the page: where one is, in which language, and the line that is heard
import { useEffect } from "preact/hooks";
import { Lesson } from "./lesson/lesson.tsx";
import { Choice } from "./parts/controls.tsx";
import { Heard } from "./parts/status.tsx";
import { LANGUAGES, choose, direction, language, say } from "./parts/words.ts";

export function Shell() {
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = direction.value;
    document.title = `regard: ${say("title")}`;
  }, [language.value]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => toMain(event)}>
        {say("skip")}
      </a>
      <header class="top">
        <p class="brand" lang="en" dir="ltr">
          regard
        </p>
        <Choice
          label={say("language")}
          value={language.value}
          options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }))}
          change={choose}
        />
      </header>
      <main id="main" tabIndex={-1}>
        <Lesson />
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
