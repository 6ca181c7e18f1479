// The service worker that shows push messages, and opens their page when they are tapped. It answers no requests.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => {
  const { title, body, tag, icon, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, badge: icon, data: { url } }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href } = new URL(event.notification.data.url, self.location.origin);
  const open = async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find((each) => each.url === href);
    return there ? there.focus() : self.clients.openWindow(href);
  };
  event.waitUntil(open());
});
