// A tap on the map in a form enters the place of the system. Without this script the numbers are typed in.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";

  const made = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    return element;
  };

  // A new system is not on the drawing yet.
  const systemOn = (sky) => {
    const there = sky.querySelector(".star-map__system--current");
    if (there) return there;
    const system = made("svg", { class: "star-map__system star-map__system--current", width: 1, height: 1 });
    system.append(made("circle", { class: "star-map__free", r: 11 }));
    sky.append(system);
    return system;
  };

  const show = (form) => {
    const system = systemOn(form.querySelector("[data-place] .star-map__sky"));
    ["x", "y"].forEach((name) => system.setAttribute(name, `${Number(form.elements[name].value) || 0}%`));
  };

  document.addEventListener("click", (event) => {
    const sky = event.target.closest("[data-place] .star-map__sky");
    if (!sky) return;
    const box = sky.getBoundingClientRect();
    const percent = (at, start, length) => Math.min(100, Math.max(0, Math.round((100 * (at - start)) / length)));
    const form = sky.closest("form");
    form.elements.x.value = percent(event.clientX, box.left, box.width);
    form.elements.y.value = percent(event.clientY, box.top, box.height);
    show(form);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (["x", "y"].includes(event.target.name) && form?.querySelector("[data-place]")) show(form);
  });
})();
