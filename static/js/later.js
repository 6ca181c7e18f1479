// Results without a connection: what a player reports or confirms (forms with data-later) is first stored on the phone and
// then sent, in order. My table and the form of a report are stored, too, so that they open without a connection.
(() => {
  "use strict";

  const notice = () => document.getElementById("results-waiting"); // news of the page replace it
  if (!notice()) return;
  const { entry, home, worker } = notice().dataset;
  // Another player on this phone has a queue of their own.
  const KEY = `results:${document.body.dataset.user}:${entry}`;
  const PAUSE = 4_000, LONGEST_PAUSE = 16_000, TIMEOUT = 15_000; // milliseconds
  let sending = false, failures = 0, timer;

  const load = () => JSON.parse(localStorage.getItem(KEY) ?? "[]");
  const store = (queue) => (queue.length ? localStorage.setItem(KEY, JSON.stringify(queue)) : localStorage.removeItem(KEY));
  const token = () => JSON.parse(document.body.getAttribute("hx-headers"));

  const post = ({ address, fields }) =>
    fetch(address, {
      method: "POST", body: new URLSearchParams(fields), headers: token(), redirect: "manual", signal: AbortSignal.timeout(TIMEOUT),
    });
  // A form like the one that was sent: its answer is a page with what was typed, and why it is refused.
  const show = ({ address, fields }) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: address, hidden: true });
    for (const [name, value] of [...fields, ["csrfmiddlewaretoken", token()["x-csrftoken"]]]) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(form);
    form.submit();
  };
  const send = async () => {
    if (sending || !load().length) return;
    clearTimeout(timer);
    sending = true;
    try {
      while (load().length) {
        const [first, ...rest] = load();
        const answer = await musterbook.sendFirst(() => post(first));
        if (answer.status >= 500 || answer.status === 429 || answer.status === 403) throw new Error(answer.statusText);
        store(rest);
        if (answer.type !== "opaqueredirect") return show(first);
      }
      location.assign(home);
    } catch {
      failures += 1;
      notice().hidden = false;
      timer = setTimeout(send, Math.min(PAUSE * 2 ** (failures - 1), LONGEST_PAUSE) * (0.8 + 0.4 * Math.random()));
    } finally {
      sending = false;
    }
  };
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-later]");
    if (!form) return;
    const { pathname: address } = new URL(form.action, location);
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
    try {
      store([...load().filter((each) => each.address !== address), { address, fields }]);
    } catch {
      return; // the browser stores nothing: it sends the form by itself
    }
    event.preventDefault();
    send();
  });
  window.addEventListener("online", send);
  send();

  // The pages, with their style sheets and scripts. musterbook.js deletes them when somebody else signs in.
  const page = (html) => new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  const storePages = async (keep) => {
    await navigator.serviceWorker.register(worker);
    const cache = await caches.open(`table:${document.body.dataset.user}`);
    const pages = { [home]: `<!doctype html>${document.documentElement.outerHTML}`, [keep]: await (await fetch(keep)).text() };
    for (const [address, html] of Object.entries(pages)) {
      for (const [, file] of html.matchAll(/(?:href|src)="(\/static\/[^"]+\.(?:css|js))"/g)) {
        if (!(await cache.match(file))) await cache.add(file);
      }
      await cache.put(address, page(html));
    }
  };
  document.addEventListener("htmx:load", ({ detail: { elt } }) => {
    const keep = elt.querySelector("#results-waiting")?.dataset.keep;
    if ("serviceWorker" in navigator && keep && location.pathname === home) storePages(keep).catch(() => {});
  });
})();
