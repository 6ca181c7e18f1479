// The form of a result on a phone: a tap on the winner (on the blue player where the figures decide who wins) goes on to
// the first empty figure, and the phone opens its keypad there.
(() => {
  "use strict";

  let touched = false;
  addEventListener("pointerdown", ({ pointerType }) => (touched = pointerType === "touch"), true);
  addEventListener("keydown", () => (touched = false), true);
  document.addEventListener("change", ({ target }) => {
    const fields = target.form?.elements;
    if (!touched || !target.closest(".result") || target.name !== (fields.blue ? "blue" : "winner")) return;
    [...fields].find((each) => each.inputMode === "numeric" && !each.value)?.focus();
  });
})();
