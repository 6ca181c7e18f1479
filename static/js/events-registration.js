// Choose the time zone of the browser in a new event's form.
"use strict";

for (const form of document.querySelectorAll("[data-guess-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const select = form.elements.namedItem("time_zone");
  if (select && select.value === "UTC" && [...select.options].some((option) => option.value === zone)) {
    select.value = zone;
  }
}
