// KEYS and PATIENCE are declared above: lesson_keys.py says which they are.
const SILENT = ["radio", "checkbox", "range", "button", "submit", "reset", "file", "color"];
const waiting = [];
let busy = false;
const words = () => document.querySelector(".lesson-words")?.textContent ?? "";
const next = () => {
  if (busy || !waiting.length) return;
  const key = waiting.shift();
  const button = document.querySelector(`.st-key-${key} button`);
  if (!button || button.disabled) { waiting.length = 0; return; }
  const before = words(), since = Date.now();
  busy = true;
  button.click();
  const look = setInterval(() => {
    if (words() === before && Date.now() - since < PATIENCE[key]) return;
    clearInterval(look);
    busy = false;
    next();
  }, 20);
};
const takesText = (at) => at.isContentEditable || ["TEXTAREA", "SELECT"].includes(at.tagName)
  || (at.tagName === "INPUT" && !SILENT.includes(at.type));
export default function () {
  const pressed = (event) => {
    const key = KEYS[event.key.toLowerCase()];
    if (!key || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat) return;
    if (takesText(event.composedPath()[0])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    waiting.push(key);
    next();
  };
  window.addEventListener("keydown", pressed, true);
  return () => window.removeEventListener("keydown", pressed, true);
}
