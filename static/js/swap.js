// The second of two ticked names swaps them, and a chosen system is saved. Without this script the buttons do.
"use strict";

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-swap]");
  if (form && form.querySelectorAll('[name="players"]:checked').length === 2) {
    form.requestSubmit(form.querySelector('[name="do"][value="swap"]'));
  } else if (form && event.target.matches("select")) {
    form.requestSubmit(form.querySelector('[name="do"][value="systems"]'));
  }
});
