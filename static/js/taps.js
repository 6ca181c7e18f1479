// Taps on the table page. Each tap is first stored in the browser and then sent, one after the other, so neither a dead
// connection nor a reload loses it. A tap names the value to set, so the server may receive it twice. Until it has
// arrived it is drawn over whatever the server sends. Forms with data-taps work this way; without this script they are
// plain forms.
(() => {
  "use strict";

  // Then the address of the table and the side: one queue for each. Another user of this phone has queues of their own.
  const PREFIX = `taps:${document.body.dataset.user}:`;
  const FIRST_PAUSE = 4_000, LONGEST_PAUSE = 16_000, TIMEOUT = 15_000; // milliseconds
  const notice = document.querySelector("[data-taps-waiting]");
  let failures = 0;
  let sending = false;
  let timer;

  const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).sort();
  const addressOf = (key) => key.slice(PREFIX.length).split("#")[0];
  const load = (key) => JSON.parse(localStorage.getItem(key) ?? "[]");
  const store = (key, taps) => (taps.length ? localStorage.setItem(key, JSON.stringify(taps)) : localStorage.removeItem(key));

  // Draw the waiting taps into the forms of this page.
  const paint = () => {
    document.querySelectorAll("[data-taps] [data-unsent], [data-taps][data-unsent]").forEach((each) => each.removeAttribute("data-unsent"));
    const here = keys().filter((key) => addressOf(key) === location.pathname).flatMap(load);
    for (const tap of here.filter(({ name }) => name === "round")) paintTap(tap); // it changes what a mark means
    for (const tap of here.filter(({ name }) => name !== "round")) paintTap(tap);
    document.querySelectorAll(".table-side").forEach(paintNumbers);
  };
  const paintTap = (tap) => {
    const form = document.getElementById(tap.form);
    if (form) (form.elements.before ? paintCount : paintButton)(form, tap);
  };
  const paintCount = (form, { name, value }) => {
    const [less, more] = form.querySelectorAll("button");
    const number = Number(value);
    form.elements.before.value = number;
    form.querySelector("output").value = number;
    less.value = number - 1;
    less.disabled = number <= Number(form.dataset.least);
    more.value = number + 1;
    form.toggleAttribute("data-unsent", failures > 0);
    document.querySelectorAll(`[data-shows="${form.id}"]`).forEach((each) => (each.textContent = number));
    if (name === "round") paintRound(number);
  };
  // A new round: nobody is activated yet, or those are who were when it was this round before.
  const paintRound = (number) => {
    document.querySelectorAll("[name='in_round']").forEach((each) => (each.value = number));
    document.querySelectorAll("button[name='activated']").forEach((button) => press(button, Number(button.dataset.round) === number));
  };
  const press = (button, yes) => {
    button.ariaPressed = String(yes);
    button.value = yes ? "no" : "yes";
  };
  const paintNumbers = (side) => {
    const units = [...side.querySelectorAll(".marks")];
    const are = (name) => (unit) => unit.querySelector(`[name='${name}']`)?.ariaPressed === "true";
    const undefeated = units.filter((unit) => !are("defeated")(unit));
    const numbers = { activated: undefeated.filter(are("activated")).length, undefeated: undefeated.length, defeated: units.length - undefeated.length };
    side.querySelectorAll("[data-count]").forEach((each) => (each.textContent = numbers[each.dataset.count]));
  };
  const paintButton = (form, { name, value, fields }) => {
    const button = [...form.elements].find((each) => each.name === name && (each.ariaPressed !== null || each.value === value));
    if (!button) return;
    if (name === "activated") {
      const number = Object.fromEntries(fields).in_round;
      button.dataset.round = value === "yes" ? number : 0;
      if (number !== form.elements.in_round.value) return;
    }
    button.toggleAttribute("data-unsent", failures > 0);
    if (button.ariaPressed === null) return; // a card of the hand: the server's answer moves it
    press(button, value === "yes");
  };

  // Say how many taps are waiting once one could not be sent.
  const tell = (words = "") => {
    const count = keys().reduce((sum, key) => sum + load(key).length, 0);
    const sentence = notice.dataset[words || (count === 1 ? "one" : "many")].replace("{count}", count);
    const text = notice.querySelector("p");
    if (text.textContent !== sentence) text.textContent = sentence;
    notice.hidden = !count || !failures;
    paint();
  };

  // Put an answer into the page; the page may be another one, without the form that was tapped.
  const show = (html) => {
    const answer = new DOMParser().parseFromString(html, "text/html");
    for (const part of answer.querySelectorAll("[hx-swap-oob]")) {
      // Of several taps, a later one that was taken must not wipe away why an earlier one was refused.
      if (!document.getElementById(part.id) || (part.id === "messages" && !part.children.length)) part.remove();
    }
    htmx.swap(document.body, answer.body.innerHTML, { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
  };

  // Send the oldest tap of a queue. Returns whether the next one may be sent.
  const deliver = async (key) => {
    const [tap] = load(key);
    const answer = await fetch(addressOf(key), {
      method: "POST",
      body: new URLSearchParams([...tap.fields, [tap.name, tap.value]]),
      headers: { "HX-Request": "true", ...JSON.parse(document.body.getAttribute("hx-headers")) },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (answer.status >= 500 || answer.status === 429) throw new Error(answer.statusText);
    if (answer.status === 403) {
      failures = Math.max(failures, 1); // signed out, or the page is too old: a new page sends them
      tell("reload");
      return false;
    }
    const away = answer.headers.get("HX-Redirect");
    store(key, away ? [] : load(key).slice(1));
    if (away) location.assign(away); // the battle has gone on; that page says why nothing was changed
    else if (answer.ok || answer.status === 422) show(await answer.text());
    else document.querySelector("[data-trouble='failed']").hidden = false;
    failures = 0;
    return true;
  };

  const send = async () => {
    if (sending) return;
    clearTimeout(timer);
    sending = true;
    try {
      while (keys().length && (await musterbook.sendFirst(() => deliver(keys()[0]))));
      if (!failures) tell();
    } catch {
      failures += 1;
      tell();
      timer = setTimeout(send, Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE) * (0.8 + 0.4 * Math.random()));
    } finally {
      sending = false;
    }
  };

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target.closest("[data-taps]");
      if (!form) return;
      const { name, value } = event.submitter;
      const fields = [...new FormData(form)].filter(([field]) => field !== "csrfmiddlewaretoken");
      const key = `${PREFIX}${new URL(form.action).pathname}#${form.elements.side.value}`;
      try {
        store(key, [...load(key), { form: form.id, fields, name, value }]);
      } catch {
        return; // the browser stores nothing: it sends the form by itself
      }
      event.preventDefault();
      event.stopPropagation();
      document.getElementById("messages").replaceChildren();
      paint();
      if (failures) tell();
      send();
    },
    true,
  );
  document.addEventListener("htmx:oobAfterSwap", paint);
  window.addEventListener("online", send);

  paint();
  send();
})();
