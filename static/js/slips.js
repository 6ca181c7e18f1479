// The slip desk by keyboard: names appear with the table's number, A, B and D choose a player and go on to the next field,
// and so does a figure that cannot get another digit.
(() => {
  "use strict";

  const form = document.getElementById("slip");
  if (!form) return;
  const tables = JSON.parse(document.getElementById("slip-tables").textContent);
  const KEYS = { a: "first", b: "second", d: "draw" };
  const figures = [...form.querySelectorAll(".slip__figures input")];
  const groups = ["winner", "blue"].map((name) => [...form.querySelectorAll(`[name="${name}"]`)]).filter((each) => each.length);

  const showPlayers = () => {
    const words = tables[Number(form.elements.table.value)] ?? ["", "", ""];
    form.querySelectorAll("[data-player]").forEach((each) => (each.textContent = words[each.dataset.player]));
  };
  form.elements.table.addEventListener("input", showPlayers);
  showPlayers();

  form.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const group = event.target.name === "table" ? 0 : groups.findIndex((each) => each.includes(event.target));
    const chosen = groups[group]?.find((each) => each.value === KEYS[event.key.toLowerCase()]);
    if (!chosen) return;
    event.preventDefault();
    chosen.checked = true;
    const next = groups[group + 1]?.[0] ?? figures[0];
    next.focus();
    next.select?.();
  });
  form.addEventListener("input", ({ target }) => {
    const place = figures.indexOf(target);
    if (target.dataset.most && target.value && Number(`${target.value}0`) > Number(target.dataset.most)) figures[place + 1]?.focus();
  });
})();
