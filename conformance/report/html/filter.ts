/** The form that filters cases by words, on every page. */
import { html } from "./markup.ts";

/** `words`: where the words are looked for; `opened`: what the first button opens and closes. */
export const filterForm = (words: string, opened: string) =>
  html`<form class="filter" data-filter="list" data-script hidden aria-label="Filter the cases">
    <div>
      <label class="above" for="filter-text">words in ${words}</label>
      <input type="search" id="filter-text" name="text" autocomplete="off" />
    </div>
    <div>
      <button type="button" data-open="list">Open or close all ${opened}</button> <button type="reset">Show all</button>
    </div>
    <p class="status small quiet" role="status"></p>
  </form>`;
