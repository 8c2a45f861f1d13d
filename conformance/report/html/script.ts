/** What the page does beyond HTML: copy a command, follow a link to a case. It reads the page's own texts and writes no markup. */
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

  const follow = () => {
    let target;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch {}
    if (!target) return;
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
})();
`;
