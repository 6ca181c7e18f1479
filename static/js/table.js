// Keeps the table page as it was last shown, so that it can be read without a connection. It is stored under the user's
// name, and musterbook.js deletes it as soon as a page of nobody or of another user is shown (after signing out).
(() => {
  "use strict";

  const { worker, offline } = document.getElementById("table-strip").dataset;
  if (!("serviceWorker" in navigator) || !worker) return;

  const PAUSE = 1_000; // milliseconds: several changes are stored once
  const name = `table:${document.body.dataset.user}`;
  const files = () => [...new Set(performance.getEntriesByType("resource").map((each) => new URL(each.name)))].filter(
    ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"),
  ).map(({ pathname }) => pathname);
  let timer;

  const store = async () => {
    const cache = await caches.open(name);
    const page = `<!doctype html>${document.documentElement.outerHTML}`;
    const wanted = [offline, ...files()];
    await cache.put(location.pathname, new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
    for (const address of wanted) if (!(await cache.match(address))) await cache.add(address).catch(() => {});
    const kept = new Set([location.pathname, ...wanted]);
    for (const { url } of await cache.keys()) if (!kept.has(new URL(url).pathname)) await cache.delete(url);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => store().catch(() => {}), PAUSE);
  };

  navigator.serviceWorker.register(worker).then(later, () => {});
  document.addEventListener("htmx:oobAfterSwap", later);
})();
