"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const form = document.querySelector("form.filter");

  // A link to one finding opens it, and whatever it stands in.
  const openTarget = () => {
    const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (target && target.tagName === "DETAILS") {
      target.open = true;
      target.hidden = false;
      target.scrollIntoView();
    }
  };
  window.addEventListener("hashchange", openTarget);

  if (form) {
    const cards = [...document.querySelectorAll("details.finding")];
    const groups = [...document.querySelectorAll("section.family")];
    const texts = cards.map((card) => card.textContent.toLowerCase());
    const nothing = document.querySelector(".nothing");
    const fresh = find("by-new");

    const update = () => {
      const wanted = find("by-text").value.toLowerCase().split(/\s+/).filter(Boolean);
      const [family, severity, certainty] = ["family", "severity", "certainty"].map((name) => find("by-" + name).value);
      let count = 0;
      cards.forEach((card, place) => {
        const fits =
          (!family || card.parentElement.dataset.family === family) &&
          (!severity || card.dataset.severity === severity) &&
          (!certainty || card.dataset.certainty === certainty) &&
          !(fresh && fresh.checked && card.dataset.known === "yes") &&
          wanted.every((word) => texts[place].includes(word));
        card.hidden = !fits;
        count += fits;
      });
      groups.forEach((group) => {
        const left = group.querySelectorAll("details.finding:not([hidden])").length;
        group.hidden = left === 0;
        group.querySelector(".count").textContent = left;
      });
      nothing.hidden = count > 0;
      find("shown").textContent = `${count} of ${cards.length} shown`;
    };

    const all = find("open-all");
    all.addEventListener("click", () => {
      const open = all.getAttribute("aria-pressed") !== "true";
      all.setAttribute("aria-pressed", String(open));
      all.textContent = open ? "Close all" : "Open all";
      cards.forEach((card) => { card.open = open; });
    });
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        find("by-text").focus();
      }
    });
    form.hidden = false;
    update();
  }

  // On paper nothing can be opened.
  window.addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((part) => { part.open = true; });
  });
  openTarget();
})();
