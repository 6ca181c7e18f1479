// Elements with data-poll ask for news again and again; the value is the pause in seconds. They rest while nobody sees
// the page, ask one at a time, step aside for what somebody sends, and ask less often while the server is slow.
(() => {
  "use strict";

  const SLOW = 1_000; // milliseconds: an answer that took longer doubles the pause, a quicker one halves it
  const MOST = 4; // times the pause at most: 4, 8, 16 seconds
  let strain = 1;
  let sending = 0; // requests under way that change something
  const STALE = 30_000; // milliseconds without an answer after which [data-stale] says that the page may be out of date
  const LEAVING = 10_000; // milliseconds for which nothing is asked once another page was asked for: news would reload this one
  let left = -LEAVING;
  let answered = Date.now();
  const sayStale = (isStale) => document.querySelectorAll("[data-stale]").forEach((each) => (each.hidden = !isStale));
  const timers = new WeakMap();
  const underWay = new WeakSet();

  const isPoll = (elt) => elt.dataset?.poll !== undefined;
  const polls = (within = document) => [...within.querySelectorAll("[data-poll]")];
  // Phones that once waited for each other would ask at the same moment ever after: chance spreads them. A server that
  // says when to ask again (Retry-After) knows how long its queue is.
  const plan = (elt, delay = 0) => {
    clearTimeout(timers.get(elt));
    const seconds = (delay || elt.dataset.poll * strain) * (0.8 + 0.4 * Math.random());
    timers.set(elt, setTimeout(ask, seconds * 1000, elt));
  };
  const ask = (elt) => {
    if (!elt.isConnected) return;
    plan(elt);
    const rests = document.hidden || sending || performance.now() - left < LEAVING;
    if (!rests && !underWay.has(elt)) htmx.trigger(elt, "poll");
  };
  // The badge may go on: it asks rarely, and what was sent changes its number.
  const stepAside = () => polls().forEach((elt) => elt.id !== "badge" && htmx.trigger(elt, "htmx:abort"));

  window.addEventListener("beforeunload", () => {
    left = performance.now();
    stepAside();
  });
  // For scripts that send something themselves.
  window.musterbook = {
    async sendFirst(send) {
      sending += 1;
      stepAside();
      try {
        return await send();
      } finally {
        sending -= 1;
      }
    },
  };

  const changes = ({ elt, requestConfig }) => !isPoll(elt) && requestConfig.verb !== "get";
  document.addEventListener("htmx:configRequest", (event) => {
    if (isPoll(event.detail.elt)) event.detail.headers["X-Poll"] = "true";
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    const { elt, xhr } = event.detail;
    // What is aborted here is meant to be: htmx would write it into the console as an error.
    xhr.abort = () => {
      event.detail.error = "";
      XMLHttpRequest.prototype.abort.call(xhr);
    };
    if (isPoll(elt)) watch(elt, xhr);
    if (!changes(event.detail)) return;
    sending += 1;
    xhr.addEventListener("loadend", () => (sending -= 1));
    stepAside();
  });
  const slower = () => (strain = Math.min(MOST, strain * 2));
  const watch = (elt, xhr) => {
    const began = performance.now();
    underWay.add(elt);
    for (const trouble of ["error", "timeout"]) xhr.addEventListener(trouble, slower);
    xhr.addEventListener("loadend", () => {
      underWay.delete(elt);
      const delay = Number(xhr.getResponseHeader("Retry-After"));
      if (xhr.status && xhr.status < 500) answered = Date.now();
      sayStale(Date.now() - answered > STALE);
      if (delay || xhr.status >= 500 || performance.now() - began > SLOW) slower();
      else if (xhr.status) strain = Math.max(1, strain / 2);
      plan(elt, delay);
    });
  };
  const wake = () => {
    if (!document.hidden) answered = Date.now(); // nothing was asked meanwhile
    polls().forEach(ask);
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", () => {
    strain = 1;
    wake();
  });
  document.addEventListener("htmx:load", (event) => {
    const { elt } = event.detail;
    for (const each of [elt, ...polls(elt)]) if (isPoll(each)) plan(each);
  });
})();
