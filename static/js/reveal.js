// Casualty Checks that were just rolled, one by one, the Paragon's last. Without this script they are a list on the page.
(() => {
  "use strict";
  const MILLISECONDS = 3200; // for one check, of which its die tumbles a good second
  const LAST = 6400; // for the last one, unless a tap holds it
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const reveal = (list, template) => {
    const dialog = document.importNode(template.content, true).firstElementChild;
    const [checks, button, count] = ["ol", "button", ".reveal__count"].map((each) => dialog.querySelector(each));
    checks.append(...[...list.children].map((each) => each.cloneNode(true)));
    const last = checks.children.length - 1;
    let [now, timer] = [-1, 0];

    const show = () => {
      clearTimeout(timer);
      checks.children[now]?.classList.remove("outcome--now", "outcome--tumbling");
      now += 1;
      if (now > last) return dialog.close();
      checks.children[now].classList.add("outcome--now", "outcome--tumbling");
      count.textContent = `${now + 1}/${last + 1}`;
      timer = setTimeout(show, now < last ? MILLISECONDS : LAST);
      if (now === last)
        Promise.allSettled(moving().map((each) => each.finished)).then(() => (button.textContent = button.dataset.end));
    };
    const moving = () => checks.getAnimations({ subtree: true }).filter((each) => each.playState !== "finished");
    // A tap ends what moves; once nothing moves, it leads on. The last check then stays until the next tap.
    const tap = () => {
      const animations = moving();
      if (now === last) clearTimeout(timer);
      if (animations.length) animations.forEach((each) => each.finish());
      else show();
    };

    dialog.addEventListener("click", tap);
    dialog.addEventListener("close", () => {
      clearTimeout(timer);
      dialog.remove();
      document.getElementById("question")?.focus({ preventScroll: true });
    });
    document.body.append(dialog);
    dialog.showModal();
    button.focus();
    show();
  };

  document.addEventListener("htmx:load", (event) => {
    const list = event.detail.elt.querySelector("[data-reveal]");
    const template = event.detail.elt.querySelector("#reveal");
    if (list && template && !still.matches) reveal(list, template);
  });

  // The page stays where it is after an edit: the next key goes on from the question, and nothing scrolls.
  document.addEventListener("htmx:afterSettle", (event) => {
    const answered = event.detail.requestConfig?.verb === "post";
    // Where the focus stays on a button of a list, nothing else says what its tap has changed.
    const said = document.querySelector("#messages");
    const happened = document.querySelector("#happened");
    if (answered && said && happened && document.activeElement?.matches(".offer .button")) {
      const spoken = Object.assign(document.createElement("p"), { className: "visually-hidden", textContent: happened.textContent });
      if (!said.childElementCount) said.append(spoken); // what the answer says itself is read out by its place
    }
    if (answered && document.activeElement === document.body) document.getElementById("question")?.focus({ preventScroll: true });
  });
})();
