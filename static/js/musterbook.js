// The little that HTML and HTMX cannot do. Every page works without it.
(() => {
  "use strict";

  // Steppers: the two thumbs beside a number field.
  const bound = (stepper) => {
    const field = stepper.querySelector("input");
    const [less, more] = stepper.querySelectorAll("[data-step]");
    less.disabled = field.disabled || (field.min !== "" && field.valueAsNumber <= Number(field.min));
    more.disabled = field.disabled || (field.max !== "" && field.valueAsNumber >= Number(field.max));
  };
  const boundAll = (within) => within.querySelectorAll("[data-stepper]").forEach(bound);

  // A text to take along. Only secure pages have a clipboard; elsewhere the old way still works.
  const copy = async (button, field) => {
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    button.querySelector("span").textContent = button.dataset.copied;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) {
      const stepper = button.closest("[data-stepper]");
      const field = stepper.querySelector("input");
      if (button.dataset.step === "up") field.stepUp();
      else field.stepDown();
      for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }
    if (event.target.closest("[data-print]")) window.print();
    const copying = event.target.closest("[data-copy]");
    if (copying) copy(copying, document.getElementById(copying.dataset.copy));
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("input", (event) => {
    const stepper = event.target.closest("[data-stepper]");
    if (stepper) bound(stepper);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // A request that did not arrive, or was not understood: say so, and keep what was entered.
  const notices = [...document.querySelectorAll("[data-trouble]")];
  const say = (trouble) => notices.forEach((notice) => (notice.hidden = notice.dataset.trouble !== trouble));
  // The badge asks by itself: nothing of the reader's is lost when it is not answered.
  const badge = (event) => event.detail.elt.id === "badge";
  document.addEventListener("htmx:sendError", (event) => badge(event) || say("unsent"));
  document.addEventListener("htmx:timeout", (event) => badge(event) || say("unsent"));
  document.addEventListener("htmx:responseError", (event) => badge(event) || say("failed"));
  // Whatever asks again by itself rests while nobody sees the page.
  const polls = (event) => (event.detail.elt.getAttribute("hx-trigger") ?? "").includes("every ");
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (polls(event) && document.hidden) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, requestConfig } = event.detail;
    // Polling goes on by itself: that it works again says nothing about an answer that was not understood.
    const stillFailed = requestConfig.verb === "get" && notices.some((notice) => notice.dataset.trouble === "failed" && !notice.hidden);
    if (successful && !stillFailed) say("");
  });
  // A form with data-holds: what somebody holds, a list that has opened since or a text half written, is not replaced by
  // the answer to what was entered before. The next answer brings what this one would have.
  let entered = null;
  document.addEventListener("change", (event) => (entered = event.target));
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const held = document.activeElement;
    const holds = held !== entered && held.matches("[data-holds] :is(select, input[type='text'])");
    if (holds && event.detail.target.contains(held)) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:load", (event) => boundAll(event.detail.elt.parentElement ?? document));

  boundAll(document);
})();
