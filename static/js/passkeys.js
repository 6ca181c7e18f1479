// A device that gives no passkey must not leave the button silent.
document.addEventListener("allauth.error", () => {
  for (const notice of document.querySelectorAll("[data-no-passkey]")) notice.hidden = false;
});
