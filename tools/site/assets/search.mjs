// Search over titles and headings. Without it the page is complete; the field is shown only when it works.
const { document, location, searchIndex } = globalThis;

const box = document.querySelector("search");
const field = box.querySelector("input");
const list = box.querySelector("ol");
const root = document.body.dataset.root;
const most = 12;

const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Every word has to be there; a title counts more than a heading, a beginning more than a middle. */
function weigh(text, wanted) {
  const within = text.toLowerCase();
  let weight = 0;
  for (const word of wanted) {
    const at = within.indexOf(word);
    if (at === -1) return 0;
    weight += at === 0 || /[\s_./-]/.test(within[at - 1]) ? 2 : 1;
  }
  return weight / wanted.length;
}

function find(wanted) {
  const found = [];
  for (const [path, title, headings] of searchIndex) {
    const byTitle = weigh(title, wanted);
    if (byTitle > 0) found.push({ weight: byTitle + 2, href: path, title, place: "" });
    for (const [id, text] of headings) {
      const byHeading = weigh(text, wanted) || weigh(`${title} ${text}`, wanted) / 2;
      if (byHeading > 0 && byTitle === 0)
        found.push({ weight: byHeading, href: `${path}#${id}`, title: text, place: title });
    }
  }
  return found.sort((a, b) => b.weight - a.weight).slice(0, most);
}

function item({ href, title, place }) {
  const link = document.createElement("a");
  link.href = root + href;
  link.append(title);
  if (place !== "") {
    const small = document.createElement("small");
    small.append(place);
    link.append(small);
  }
  const entry = document.createElement("li");
  entry.append(link);
  return entry;
}

function show() {
  const wanted = words(field.value);
  const found = wanted.length === 0 ? [] : find(wanted);
  list.replaceChildren(...found.map(item));
  if (wanted.length > 0 && found.length === 0) list.append("No title or heading has these words.");
  list.hidden = wanted.length === 0;
}

function move(step) {
  const places = [field, ...list.querySelectorAll("a")];
  const next = places[places.indexOf(document.activeElement) + step];
  next?.focus();
}

const keys = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Escape: () => {
    field.value = "";
    show();
    field.blur();
  },
};

box.hidden = false;
field.addEventListener("input", show);
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && document.activeElement === field) {
    const first = list.querySelector("a");
    if (first !== null) location.assign(first.href);
  }
  if (keys[event.key] === undefined) return;
  event.preventDefault();
  keys[event.key]();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
});
document.addEventListener("click", (event) => {
  if (!box.contains(event.target)) list.hidden = true;
});
