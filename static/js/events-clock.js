// Countdowns: <time datetime="…" data-countdown>. A page has one only where the reader may know the end (E26).
(() => {
  "use strict";

  const two = (number) => String(number).padStart(2, "0");
  const asText = (seconds) => {
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor((seconds % 3600) / 60);
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
  };
  const tick = () => {
    for (const time of document.querySelectorAll("time[data-countdown]")) {
      const left = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now()) / 1000));
      time.textContent = asText(left);
      if (left || time.dataset.asked !== undefined) continue;
      time.dataset.asked = ""; // at the end the page asks once at once, and then as often as before
      const clock = time.closest("[data-poll]");
      if (clock) setTimeout(() => htmx.trigger(clock, "poll"), 1000);
    }
  };
  tick();
  setInterval(tick, 1000);
  document.addEventListener("htmx:load", tick);
})();
