// The table of all forms: search, filters, order, and an address that keeps them. `winic` is the data of
// index.js; texts from it go into the page as text only.
"use strict";
(() => {
  // Rows that are shown at first, a screenful, as laying them out is most of what a keystroke takes; and those
  // that each press of the button adds.
  const PAGE = 25, MORE = 100;
  const MEMORY = 1, IMMEDIATE = 2, DOUBTFUL = 1, MISSING = 2; // As in index.js.
  const [NAME, ANCHOR, MNEMONIC, OPERANDS, WIDTH, KINDS, CELLS] = [0, 1, 2, 3, 4, 5, 6];
  const FILTERS = ["words", "isa", "kind", "width", "status"];
  const at = (id) => document.getElementById(id);
  const fields = Object.fromEntries(FILTERS.map((id) => [id, at(id)]));
  const table = document.querySelector("table.forms");
  const head = table.tHead, body = table.tBodies[0];
  const texts = winic.forms.map((form) =>
    [form[NAME], winic.mnemonics[form[MNEMONIC]][0], winic.operands[form[OPERANDS]]].join(" ").toLowerCase());
  const compareTexts = new Intl.Collator("en", { numeric: true }).compare;
  let order = { key: "name", isDescending: false }, shown = PAGE;
  let sorted = [], found = []; // Forms by number: all in their order, and those that are looked for.

  const element = (name, text, into) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (into) into.append(made);
    return made;
  };

  // Columns: a key for the address, a heading, and what a form is sorted by.
  const columns = [
    { key: "name", name: "Form", of: (form) => form[NAME] },
    { key: "mnemonic", name: "Mnemonic", of: (form) => winic.mnemonics[form[MNEMONIC]][0] },
    { key: "operands", name: "Operands", of: (form) => winic.operands[form[OPERANDS]] },
  ];
  winic.machines.forEach((machine, number) => {
    const cell = (form) => form[CELLS][number] || [null, null, null, 0];
    columns.push({ key: "tp" + number, name: "Throughput", machine, of: (form) => cell(form)[1] ?? cell(form)[0] });
    columns.push({ key: "lat" + number, name: "Latency", machine, of: (form) => cell(form)[2] });
  });

  const range = (min, max) => {
    if (min === null && max === null) return "–";
    if (max === null) return "≥ " + min;
    if (min === null) return "≤ " + max;
    return min === max ? String(max) : min + "–" + max;
  };

  const drawHead = () => {
    head.replaceChildren();
    if (winic.machines.length > 1) {
      const row = element("tr", undefined, head);
      for (let place = 0; place < 3; place++) element("td", undefined, row);
      for (const machine of winic.machines) {
        const cell = element("th", machine, row);
        cell.colSpan = 2;
        cell.scope = "colgroup";
      }
    }
    const row = element("tr", undefined, head);
    for (const column of columns) {
      const cell = element("th", undefined, row);
      cell.scope = "col";
      const button = element("button", column.name, cell);
      button.type = "button";
      button.dataset.key = column.key;
      if (column.machine) button.setAttribute("aria-label", column.name + " on " + column.machine);
      if (order.key === column.key) cell.setAttribute("aria-sort", order.isDescending ? "descending" : "ascending");
    }
  };

  // A row with the texts that it shows. Rows are made once and say something else with each keystroke: the
  // columns of the table have widths of their own (`table-layout: fixed`), so that nothing but a changed
  // cell is laid out again.
  const makeRow = () => {
    const row = element("tr");
    const head = element("th", undefined, row);
    head.scope = "row";
    const link = element("a", undefined, head);
    const places = [link, ...columns.slice(1).map(() => element("td", undefined, row))];
    const texts = places.map((place) => place.appendChild(document.createTextNode("")));
    return { row, link, texts };
  };

  const cellsOf = (form) => form[CELLS].flatMap((values) => {
    const [min, max, latency, bits] = values || [null, null, null, 0];
    return [range(min, max), (latency === null ? "–" : String(latency)) + (bits & DOUBTFUL ? " ?" : "")];
  });

  const fillRow = ({ link, texts }, form) => {
    const [mnemonic, , page] = winic.mnemonics[form[MNEMONIC]];
    const address = "forms/" + page + ".html#" + (form[ANCHOR] || form[NAME]);
    if (link.getAttribute("href") !== address) link.href = address;
    [form[NAME], mnemonic, winic.operands[form[OPERANDS]], ...cellsOf(form)].forEach((text, place) => {
      if (texts[place].data !== text) texts[place].data = text;
    });
  };

  const rows = []; // Those that were made; the first of them stand in the table.
  const drawBody = () => {
    const count = Math.min(found.length, shown);
    while (rows.length < count) rows.push(makeRow());
    for (let place = 0; place < count; place++) fillRow(rows[place], winic.forms[found[place]]);
    while (body.rows.length > count) body.lastChild.remove();
    body.append(...rows.slice(body.rows.length, count).map(({ row }) => row));
    at("count").textContent = found.length + " of " + winic.forms.length + " forms" +
      (found.length > shown ? ", the first " + shown + " shown" : "");
    at("more").hidden = found.length <= shown;
  };

  const isWanted = () => {
    const words = fields.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isa = fields.isa.value, kind = fields.kind.value, width = fields.width.value;
    const status = fields.status.value;
    const bitsOf = (form) => form[CELLS].reduce((all, values) => all | (values ? values[3] : 0), 0);
    return (form, number) =>
      words.every((word) => texts[number].includes(word)) &&
      (!isa || winic.isas[winic.mnemonics[form[MNEMONIC]][1]] === isa) &&
      (kind !== "memory" || form[KINDS] & MEMORY) &&
      (kind !== "registers" || !(form[KINDS] & MEMORY)) &&
      (kind !== "immediate" || form[KINDS] & IMMEDIATE) &&
      (!width || form[WIDTH] === Number(width)) &&
      (status !== "known" || !(bitsOf(form) & MISSING)) &&
      (status !== "missing" || bitsOf(form) & MISSING) &&
      (status !== "doubtful" || bitsOf(form) & DOUBTFUL);
  };

  // As seldom as the order changes: comparing names takes longer than all else together.
  const arrange = () => {
    const of = columns.find((column) => column.key === order.key).of;
    const sign = order.isDescending ? -1 : 1;
    const keys = winic.forms.map(of);
    const compare = (one, other) => {
      const [a, b] = [keys[one], keys[other]];
      // What has no value comes last, whatever the order.
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * (typeof a === "number" ? a - b : compareTexts(a, b));
    };
    sorted = [...winic.forms.keys()].sort(compare);
    asked = ["", null];
  };

  let asked = ["", null]; // The words that found what is found, and the filters beside them.
  const find = () => {
    const wanted = isWanted(), words = fields.words.value;
    const others = JSON.stringify(FILTERS.slice(1).map((id) => fields[id].value));
    // Who types on looks among what was found.
    const isNarrower = asked[1] === others && words.startsWith(asked[0]);
    found = (isNarrower ? found : sorted).filter((number) => wanted(winic.forms[number], number));
    asked = [words, others];
    drawBody();
  };

  const keep = () => {
    const state = new URLSearchParams();
    for (const id of FILTERS) if (fields[id].value) state.set(id, fields[id].value);
    if (order.key !== "name" || order.isDescending) {
      state.set("sort", (order.isDescending ? "-" : "") + order.key);
    }
    history.replaceState(null, "", "#" + state);
  };

  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const id of FILTERS) fields[id].value = state.get(id) || "";
    const sort = state.get("sort") || "name", key = sort.replace(/^-/, "");
    const isKnown = columns.some((column) => column.key === key);
    order = { key: isKnown ? key : "name", isDescending: isKnown && sort !== key };
    shown = PAGE;
    drawHead();
    arrange();
    find();
  };

  // Three columns of text, and two of figures for each machine.
  const widths = document.createElement("colgroup");
  for (const { key, machine } of columns) element("col", undefined, widths).className = machine ? "figure" : key;
  table.prepend(widths);
  table.style.setProperty("--figures", 2 * winic.machines.length);
  for (const isa of winic.isas) element("option", isa, fields.isa).value = isa;
  if (winic.isas.length < 2) fields.isa.parentElement.hidden = true;
  const bits = [...new Set(winic.forms.map((form) => form[WIDTH]))].filter(Boolean);
  for (const width of bits.sort((one, other) => one - other)) {
    element("option", width + " bits", fields.width).value = width;
  }
  at("filters").addEventListener("input", () => { shown = PAGE; find(); keep(); });
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("more").addEventListener("click", () => { shown += MORE; drawBody(); });
  head.addEventListener("click", (event) => {
    const key = event.target.dataset.key;
    if (!key) return;
    order = { key, isDescending: order.key === key && !order.isDescending };
    drawHead();
    arrange();
    find();
    keep();
    head.querySelector("[data-key=" + key + "]").focus();
  });
  addEventListener("hashchange", restore);
  at("table").hidden = false;
  restore();
})();
