// The service worker of battles and of a player's pages of events: without a connection it shows the pages that table.js or
// later.js has stored, or a page that says what to do. With a connection it changes nothing, and it answers nothing but pages and static files.
"use strict";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const stored = async (request) => {
  const { pathname } = new URL(request.url);
  const found = await caches.match(pathname);
  if (found || request.mode !== "navigate") return found;
  return (await caches.match(`${pathname}table/`)) ?? (await caches.match("/battles/offline/"));
};
const withPolicy = (page) => {
  const headers = new Headers(page.headers);
  headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  return new Response(page.body, { status: page.status, headers });
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isPage = request.mode === "navigate";
  if (request.method !== "GET" || (!isPage && !new URL(request.url).pathname.startsWith("/static/"))) return;
  const answer = async () => {
    try {
      return await fetch(request);
    } catch (trouble) {
      const found = await stored(request);
      if (!found) throw trouble;
      return isPage ? withPolicy(found) : found;
    }
  };
  event.respondWith(answer());
});
