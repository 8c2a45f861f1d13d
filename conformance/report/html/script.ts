/** What the page does beyond HTML: filter, copy, links to a case. It reads the page's own texts and writes no markup. */
export const script = `"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  for (const element of all("[data-script]")) element.hidden = false;

  for (const filter of all("form[data-filter]")) {
    const list = document.getElementById(filter.dataset.filter);
    const status = filter.querySelector("[role=status]");
    const rows = all("[data-row]", list).map((row) => {
      const { textContent } = row.querySelector("summary") ?? row;
      return { row, words: (textContent + " " + (row.dataset.clauses ?? "")).toLowerCase() };
    });
    const apply = () => {
      const words = filter.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      for (const { row, words: text } of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
      for (const group of all("[data-group]", list)) {
        group.hidden = all("[data-row]", group).every((row) => row.hidden);
        if (words.length > 0 && group.tagName === "DETAILS") group.open = !group.hidden;
      }
      status.textContent = shown + " of " + rows.length + " cases match";
    };
    filter.addEventListener("input", apply);
    filter.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }

  for (const button of all("button[data-copy]")) {
    button.addEventListener("click", async () => {
      const { textContent } = document.getElementById(button.dataset.copy);
      let said = "Copied";
      try {
        await navigator.clipboard.writeText(textContent);
      } catch {
        getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
        said = "Selected: press Ctrl+C";
      }
      const before = button.textContent;
      button.textContent = said;
      setTimeout(() => { button.textContent = before; }, 2000);
    });
  }

  const follow = () => {
    let target;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch {}
    if (!target) return;
    for (let at = target; at; at = at.parentElement) {
      if (at.hidden) at.hidden = false;
      if (at.tagName === "DETAILS") at.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
})();
`;
