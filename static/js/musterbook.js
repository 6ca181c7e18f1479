// The little that HTML and HTMX cannot do. Every page works without it.
(() => {
  "use strict";

  // Steppers: the two buttons next to a number field.
  const bound = (stepper) => {
    const field = stepper.querySelector("input");
    const [less, more] = stepper.querySelectorAll("[data-step]");
    less.disabled = field.disabled || (field.min !== "" && field.valueAsNumber <= Number(field.min));
    more.disabled = field.disabled || (field.max !== "" && field.valueAsNumber >= Number(field.max));
  };
  // To the next multiple of the step: 625 by 50 becomes 650 or 600.
  const stepped = (stepper, field, up) => {
    const by = Number(stepper.dataset.by ?? 1);
    const parts = (field.valueAsNumber || 0) / by;
    const next = (up ? Math.floor(parts) + 1 : Math.ceil(parts) - 1) * by;
    const most = field.max === "" ? Infinity : Number(field.max);
    const least = field.min === "" ? -Infinity : Number(field.min);
    return String(Math.max(least, Math.min(most, next)));
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
      field.value = stepped(stepper, field, button.dataset.step === "up");
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
  // Once a unit has its Commendation, the next that is owed one opens.
  document.addEventListener("change", (event) => {
    const owed = [...(event.target.closest(".due")?.parentElement.querySelectorAll(".due:not(:has(:checked))") ?? [])];
    if (owed.length) owed[0].open = true;
  });
  // Dice or tokens of the table: once one is entered, the button that would roll or draw uses them.
  const isFilled = (field) => (field.type === "radio" ? field.checked : field.matches("select") && field.value !== "");
  const offerOwn = () => {
    const button = document.querySelector("[data-own]");
    const form = document.getElementById("table");
    if (!button || !form) return;
    const own = form.closest("details").open && [...form.elements].some(isFilled);
    button.querySelector("span").textContent = own ? button.dataset.own : button.dataset.app;
    button.setAttribute("form", own ? "table" : "app");
    button.setAttribute("name", own ? "dice" : "");
    button.value = own ? "table" : "";
  };
  document.addEventListener("change", offerOwn);
  document.addEventListener("toggle", offerOwn, true); // it does not bubble
  // Of the folds of a group one is open. Not by `name`: HTMX inserts the new fold before it removes the old one of that
  // name, which is open, and so the browser would close the new one.
  document.addEventListener("toggle", ({ target }) => {
    if (!target.open || !target.dataset.group) return;
    const others = [...document.querySelectorAll(`details[data-group="${target.dataset.group}"][open]`)].filter((each) => each !== target);
    for (const other of others) other.open = false;
    if (others.length) requestAnimationFrame(() => target.querySelector("summary").scrollIntoView({ block: "nearest" }));
  }, true);
  // Folds that the reader has opened stay open when news replace the part of the page that has them.
  let opened = [];
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    opened = [...detail.target.querySelectorAll("details[id][open]")].map((each) => each.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });
  // What was wrong with a choice refers to what was chosen then.
  document.addEventListener("change", (event) => {
    if (event.target.type === "radio") event.target.closest(".choice")?.querySelector(":scope > [role='alert']")?.remove();
  });
  // Move the focus to the first button of an opened panel. `autofocus` would make browsers log a warning on pages
  // opened at a fragment.
  document.addEventListener("toggle", ({ target, newState }) => {
    if (newState === "open" && target.matches(".panel")) target.querySelector("button").focus();
  }, true);
  // The number of a rule opens its text in a panel. Without this script, or with a key held, it is a link.
  const panel = document.getElementById("rule-panel");
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.rule-ref[href*='#'], #rule-panel .passage :not(h3) > a[href*='#']");
    if (!link || !panel?.showPopover || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const text = panel.querySelector(".panel__text");
    const show = () => {
      if (text.children.length && !panel.matches(":popover-open")) panel.showPopover({ source: link });
    };
    text.replaceChildren();
    htmx.ajax("GET", `${link.pathname}${link.hash.slice(1)}/`, { source: panel, target: text, swap: "innerHTML" }).then(show, () => {});
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // Dice that still roll lie still at the first touch.
  const still = () => document.getAnimations().forEach((animation) => animation.animationName === "throw" && animation.finish());
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, still);

  // After a request that failed: show a notice, keep the entries, and offer to send them again.
  const notices = [...document.querySelectorAll("[data-trouble]")];
  let unsent = null; // the form whose answer may not have been saved, and the button that sent it
  const say = (trouble) => notices.forEach((notice) => (notice.hidden = notice.dataset.trouble !== trouble));
  const shownNotice = () => notices.find((notice) => !notice.hidden)?.dataset.trouble;
  const hold = (answer) => {
    unsent?.button?.removeAttribute("data-unsent");
    unsent = answer;
    unsent?.button?.setAttribute("data-unsent", ""); // marks it among several buttons
  };
  const keep = (form, button, trouble) => {
    hold({ form, button });
    say(trouble);
  };
  // The badge and pages poll automatically. A failed poll loses nothing that was entered.
  let missed = null; // the element whose recalculation failed
  const badge = (event) => event.detail.elt.id === "badge";
  const isAnswer = ({ requestConfig }) => requestConfig.triggeringEvent?.type === "submit" && requestConfig.verb !== "get";
  const lost = (trouble) => (event) => {
    const { elt, requestConfig } = event.detail;
    if (isAnswer(event.detail)) keep(elt, requestConfig.triggeringEvent.submitter, trouble);
    else if (!badge(event)) {
      if (requestConfig.triggeringEvent?.type === "change") missed = elt;
      if (!unsent) say("away");
    }
  };
  window.addEventListener("online", () => {
    if (missed?.isConnected) htmx.trigger(missed, "change");
    missed = null;
    if (shownNotice() === "away") say("");
  });
  document.addEventListener("htmx:sendError", lost("unsent"));
  document.addEventListener("htmx:timeout", lost("unsent"));
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status >= 500) lost("broken")(event);
    else if (!badge(event)) say("failed");
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) return;
    if (isAnswer(event.detail)) {
      hold(null);
      // The number of tasks may have changed. The demo has no badge.
      if (document.getElementById("badge")) htmx.trigger("#badge", "poll");
    }
    if (event.detail.elt === missed) missed = null;
    // Polling goes on. Its success says nothing about an answer or a recalculation that failed.
    if (isAnswer(event.detail) || !(unsent || missed?.isConnected || ["failed", "moved"].includes(shownNotice()))) say("");
  });
  // An update must not replace unsent entries: the page stays, and a notice says that it is out of date.
  const isEntered = (field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
      : field.options ? [...field.options].some((option, place) => option.selected !== (option.defaultSelected || isFirst(field, place)))
        : field.value !== field.defaultValue;
  // A list in which nothing is chosen shows its first line.
  const isFirst = (list, place) => !list.multiple && !place && ![...list.options].some((option) => option.defaultSelected);
  const entered = () => [...document.querySelectorAll("main :is(textarea, input, select)")].some(isEntered);
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { elt, xhr } = event.detail;
    if (elt.dataset.poll === undefined) return;
    const leaves = xhr.getResponseHeader("HX-Refresh") || xhr.getResponseHeader("HX-Redirect");
    if (leaves && (unsent || entered())) {
      event.preventDefault();
      if (!unsent) say("moved");
    }
    // The question is the same as before: the answer that could not be sent is still an answer to it.
    const stays = xhr.getResponseHeader("X-Same-Question") || "keepsUnsent" in elt.dataset;
    if (stays && unsent) event.preventDefault();
  });
  // A plain form that is refused comes back as a whole page: what is wrong with it is read out first, and in the title.
  if (performance.getEntriesByType("navigation")[0]?.responseStatus === 422) {
    const wrong = document.querySelector("main [role='alert']:has(.refusal)");
    if (wrong && !document.querySelector("main [autofocus]")) {
      wrong.tabIndex = -1;
      wrong.focus();
    }
    if (wrong) document.title = `${wrong.textContent.trim().split(/\s*\n\s*/)[0]} · ${document.title}`;
  }
  // Tabs and rounds that are wider than a phone begin with the current one in sight.
  for (const link of document.querySelectorAll(":is(.tabs, .rounds) a[aria-current]")) {
    const [bar, { left, width }] = [link.closest(".tabs, .rounds"), link.getBoundingClientRect()];
    bar.scrollLeft += left - bar.getBoundingClientRect().left - (bar.clientWidth - width) / 2;
  }
  // A refusal is looked at where it stands: an answer leads to the top of the page, and that comes after this event.
  document.addEventListener("htmx:afterSettle", (event) => {
    const refused = event.target.querySelector("[role='alert'][autofocus]");
    if (refused) requestAnimationFrame(() => refused.scrollIntoView({ block: "center", behavior: "instant" }));
  });
  // What took the place of the form knows better: the answer did arrive, or nobody asks for it any more.
  document.addEventListener("htmx:afterSettle", () => {
    if (unsent && !unsent.form.isConnected) {
      hold(null);
      say("");
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-again]") || !unsent) return;
    const { form, button } = unsent;
    say("");
    if (button) button.click();
    else form.requestSubmit();
  });
  // A plain form leaves the page and loses its entries, so without a connection it stays.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || navigator.onLine) return;
    event.preventDefault();
    keep(form, event.submitter, "unsent");
  });
  // A form with data-holds: what somebody holds, a list that has opened since or a text half written, is not replaced by
  // the answer to what was entered before. The next answer brings what this one would have.
  let changed = null;
  document.addEventListener("change", (event) => (changed = event.target));
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const held = document.activeElement;
    const holds = held !== changed && held.matches("[data-holds] :is(select, input[type='text'])");
    if (holds && event.detail.target.contains(held)) event.detail.shouldSwap = false;
  });
  // A tap ends a search under way: the results would replace the tapped link before its own answer arrives.
  let pendingTaps = 0; // links and forms under way
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { boosted, elt, requestConfig, xhr } = event.detail;
    if (elt.matches("[role='search']")) {
      if (pendingTaps) event.preventDefault();
    } else if (boosted || requestConfig.verb !== "get") {
      pendingTaps += 1;
      xhr.addEventListener("loadend", () => (pendingTaps -= 1));
      document.querySelectorAll("[role='search']").forEach((search) => htmx.trigger(search, "htmx:abort"));
    }
  });
  document.addEventListener("htmx:load", (event) => {
    boundAll(event.detail.elt.parentElement ?? document);
    offerOwn();
  });

  // The stored table page (table.js) is for the user who is signed in, and for nobody else.
  const own = `table:${document.body.dataset.user}`;
  globalThis.caches?.keys().then((names) => names.filter((name) => name.startsWith("table:") && name !== own).forEach((name) => caches.delete(name)), () => {});

  // Browsers offer passkeys on https and on this computer only.
  if (!isSecureContext) {
    document.querySelectorAll("[data-needs-https]").forEach((each) => (each.hidden = true));
    document.querySelectorAll("[data-on-http]").forEach((each) => (each.hidden = false));
  }

  boundAll(document);
})();
