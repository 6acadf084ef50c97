"use strict";

/* The duels of a gallery, sorted and filtered as the tools above them say. */
{
  const list = document.getElementById("duels");
  const sort = document.getElementById("sort");
  const front = document.getElementById("front");
  const meeting = document.getElementById("meeting");
  const property = document.getElementById("property");
  const duels = Array.from(list.children, (element) => ({
    element,
    number: Number(element.dataset.number),
    figures: JSON.parse(element.dataset.figures),
    proved: JSON.parse(element.dataset.proved),
  }));

  const fits = ({ element, proved }) =>
    (!front.checked || element.dataset.front === "yes") &&
    (!meeting.value || element.dataset.meeting === meeting.value) &&
    (!property.value || proved.includes(property.value));

  const arrange = () => {
    const name = sort.value;
    const sign = sort.selectedOptions[0].dataset.better === "less" ? 1 : -1;
    duels.sort(
      (one, other) => sign * (one.figures[name] - other.figures[name]) || one.number - other.number,
    );
    for (const duel of duels) {
      duel.element.hidden = !fits(duel);
      list.append(duel.element);
    }
    const left = duels.filter(fits).length;
    document.getElementById("shown").textContent = `${left} of ${duels.length} shown`;
  };

  for (const tool of [sort, front, meeting, property]) {
    tool.addEventListener("change", arrange);
  }
  arrange();
}
