"use strict";

/* The boards of a page: buttons and arrow keys step through a line of play. */
for (const box of document.querySelectorAll(".replay")) {
  const frames = JSON.parse(box.querySelector("script").textContent);
  const pieces = box.querySelectorAll(".piece");
  const buttons = box.querySelectorAll("button");
  const end = frames.length - 1;
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  let shown = 0;

  const targets = () => ({ first: 0, back: shown - 1, on: shown + 1, last: end });

  const show = (number) => {
    shown = Math.max(0, Math.min(end, number));
    const [said, places] = frames[shown];
    places.forEach((place, at) => {
      const { style } = pieces[at];
      style.display = place ? "" : "none";
      if (place) style.transform = `translate(${place[0]}px,${place[1]}px)`;
    });
    box.querySelector(".said").textContent = said;
    for (const button of buttons) {
      const backward = button.dataset.go === "first" || button.dataset.go === "back";
      button.disabled = shown === (backward ? 0 : end);
    }
  };

  for (const button of buttons) {
    button.addEventListener("click", () => show(targets()[button.dataset.go]));
  }
  box.addEventListener("keydown", (event) => {
    const where = keys[event.key];
    if (!where) return;
    event.preventDefault();
    show(targets()[where]);
  });
  show(0);
}
