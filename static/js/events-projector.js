// The projector turns its pages. It needs no motion: a page takes the place of another at once.
(() => {
  "use strict";

  const SECONDS = 8; // that a page is shown
  let page = 0;
  let kind = "";

  const show = () => {
    const screen = document.getElementById("screen");
    const pages = [...screen.querySelectorAll("[data-page]")];
    if (screen.dataset.kind !== kind) page = 0;
    kind = screen.dataset.kind;
    if (!pages.length) return;
    page %= pages.length;
    pages.forEach((each, place) => each.classList.toggle("is-shown", place === page));
    const count = screen.querySelector("[data-count]");
    if (count) count.textContent = page + 1;
  };
  show();
  document.addEventListener("htmx:afterSwap", show);
  setInterval(() => {
    page += 1;
    show();
  }, SECONDS * 1000);

  const full = document.querySelector("[data-full-screen]");
  if (full) full.hidden = !document.fullscreenEnabled; // an overlay has no such button
  full?.addEventListener("click", () => document.documentElement.requestFullscreen());
})();
