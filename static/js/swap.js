// The second of two ticked names swaps them. Without this script the button does.
"use strict";

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-swap]");
  if (form && form.querySelectorAll('[name="players"]:checked').length === 2) {
    form.requestSubmit(form.querySelector('[name="do"][value="swap"]'));
  }
});
