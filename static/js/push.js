// The button that turns push messages on for this device. The browser asks for permission only after a tap on it; then
// the form sends the browser's subscription. Without a script, or in a browser without push, the page says so.
(() => {
  "use strict";

  const part = document.getElementById("push");
  const button = part.querySelector("[data-push-on]");
  const form = part.querySelector("form[data-push-form]");
  const say = (name) => {
    for (const each of part.querySelectorAll("[data-push-say]")) each.hidden = each.dataset.pushSay !== name;
  };
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0),
  );
  const subscribe = async () => {
    const { worker, key } = part.dataset;
    const registration = await navigator.serviceWorker.register(worker);
    // Not `ready`, which waits for a worker of this page's own address.
    const waiting = registration.installing ?? registration.waiting;
    if (!registration.active && waiting) {
      await new Promise((done) => {
        waiting.addEventListener("statechange", () => waiting.state === "activated" && done());
      });
    }
    const options = { userVisibleOnly: true, applicationServerKey: bytes(key) };
    try {
      return await registration.pushManager.subscribe(options);
    } catch (trouble) {
      if (trouble.name !== "InvalidStateError") throw trouble; // a subscription for a key that the site no longer has
      await (await registration.pushManager.getSubscription()).unsubscribe();
      return registration.pushManager.subscribe(options);
    }
  };
  const turnOn = async () => {
    button.disabled = true;
    try {
      if (await Notification.requestPermission() !== "granted") return say("blocked");
      const { endpoint, keys } = (await subscribe()).toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.requestSubmit();
    } catch {
      say("failed");
    } finally {
      button.disabled = false;
    }
  };

  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return;
  say(Notification.permission === "denied" ? "blocked" : "");
  button.hidden = false;
  button.addEventListener("click", turnOn);
})();
