/** What the page does beyond HTML: filter the cases, copy a command, follow a link to a case, unfold failures for a printer. It reads the page's own texts and writes no markup. */
export const script = `"use strict";
(() => {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
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

  const form = document.querySelector(".filter");
  const fields = form ? [...form.querySelectorAll("select, input")] : [];
  const cases = [...document.querySelectorAll("details.case")].map((one) => ({ one, text: one.textContent.toLowerCase() }));
  const groups = [...document.querySelectorAll(".group, .followers")].map((group) => ({ group, open: group.open }));
  const filter = () => {
    const [outcome, clause, text] = fields.map(({ value }) => value);
    const words = text.toLowerCase().split(/\\s+/);
    const isAll = fields.every(({ value }) => value === "");
    for (const { one, text: all } of cases) {
      const has = (one.classList.contains("o-" + outcome) || outcome === "") &&
        (one.dataset.clauses.split(" ").includes(clause) || clause === "");
      one.hidden = !(has && words.every((word) => all.includes(word)));
    }
    for (const { group, open } of groups) {
      group.hidden = !group.querySelector(".case:not([hidden])");
      group.open = isAll ? open : true;
    }
    const shown = cases.filter(({ one }) => !one.hidden).length;
    form.querySelector("[role=status]").textContent = isAll ? "" : shown + " of " + cases.length + " cases";
  };
  const showAll = () => {
    for (const field of fields) field.value = "";
    filter();
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("input", filter);
    form.querySelector("button").addEventListener("click", showAll);
  }

  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details.o-fail, details.o-error, details.o-unreached")) one.open = true;
  });

  const follow = () => {
    let target;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch {}
    if (!target) return;
    if (target.closest("[hidden]")) showAll();
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
})();
`;
