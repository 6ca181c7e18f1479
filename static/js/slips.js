// The slip desk by keyboard: names appear with the table's number, A, B and D choose a player (the blue one where the figures
// decide who wins) and go on to the figures, and a figure that cannot get another digit goes on to the next. A Tab after that,
// typed out of habit, stays there.
(() => {
  "use strict";

  const form = document.getElementById("slip");
  if (!form) return;
  const tables = JSON.parse(document.getElementById("slip-tables").textContent);
  const KEYS = { a: "first", b: "second", d: "draw" };
  const figures = [...form.querySelectorAll(".slip__figures input")];
  const players = [...form.elements.blue ?? form.elements.winner];

  let jumped = null;

  const showPlayers = () => {
    const words = tables[Number(form.elements.table.value)] ?? ["", "", ""];
    form.querySelectorAll("[data-player]").forEach((each) => (each.textContent = words[each.dataset.player]));
  };
  form.elements.table.addEventListener("input", showPlayers);
  showPlayers();

  form.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab" && !event.shiftKey && event.target === jumped) {
      event.preventDefault();
      jumped = null;
    }
    if (event.target.name !== "table" && !players.includes(event.target)) return;
    const chosen = players.find((each) => each.value === KEYS[event.key.toLowerCase()]);
    if (!chosen) return;
    event.preventDefault();
    chosen.checked = true;
    figures[0].focus();
    figures[0].select();
  });
  form.addEventListener("input", ({ target }) => {
    const place = figures.indexOf(target);
    const isFull = target.dataset.most && target.value && Number(`${target.value}0`) > Number(target.dataset.most);
    jumped = (isFull && figures[place + 1]) || null;
    jumped?.focus();
  });
  form.addEventListener("focusout", ({ target }) => {
    if (target === jumped) jumped = null;
  });
})();
