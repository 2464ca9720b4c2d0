export default function ({ parentElement }) {
  if (!window.history.replacesEmpty) {
    const push = window.history.pushState.bind(window.history);
    window.history.pushState = (state, title, url) => {
      const next = new URL(url ?? "", window.location.href);
      const empty = window.location.search === "" && next.pathname === window.location.pathname;
      (empty ? window.history.replaceState.bind(window.history) : push)(state, title, url);
    };
    window.history.replacesEmpty = true;
  }
  const button = parentElement.querySelector("button");
  button.onclick = async () => {
    await navigator.clipboard.writeText(window.location.href);
    button.textContent = "Link copied";
    window.setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  };
}
