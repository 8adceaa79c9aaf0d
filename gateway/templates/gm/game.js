// Steps through a game without asking anew: the page holds up to 1,000 steps, and others are loaded by
// blocks. Without this script every step is a link.
const byId = (id) => document.getElementById(id);
const address = location.pathname;
const BLOCK = 1000;
const POLL_MS = 2000;

let block = JSON.parse(byId("steps").textContent);
let step = Number(byId("slider").value);
let loading = false;

const letters = () => block.description.letters ?? [];

/** The tile that a character stands for: a small letter is a blank, which is worth nothing. */
function tile(character) {
  const letter = letters().find((letter) => letter.letter === character);
  const laid = letters().find((letter) => letter.small === character);
  const element = document.createElement("span");
  element.className = "tile";
  element.textContent = letter?.letter ?? laid?.letter ?? character;
  if (letter?.value > 0) {
    const value = document.createElement("sub");
    value.textContent = letter.value;
    element.append(value);
  }
  return element;
}

function drawLetters(shown) {
  const placed = new Set((shown.notes.placed ?? []).map(([square]) => square));
  const side = block.description.side;
  document.querySelectorAll(".letters tbody td").forEach((square, index) => {
    const character = [...shown.view.board[Math.floor(index / side)]][index % side];
    square.classList.toggle("new", placed.has(index));
    square.replaceChildren(...(character === "." ? [] : [tile(character)]));
  });
}

function drawPits(shown) {
  shown.view.pits.forEach((row, seat) => {
    row.forEach((seeds, pit) => { byId(`pit-${seat}-${pit + 1}`).textContent = seeds; });
    byId(`store-${seat}`).textContent = shown.view.stores[seat];
  });
}

function drawBoard(shown) {
  if (document.querySelector(".letters")) drawLetters(shown);
  else if (document.querySelector(".pits")) drawPits(shown);
  else if (byId("data")) byId("data").textContent = JSON.stringify(shown.view, null, 2);
}

function drawPanels(shown) {
  document.querySelectorAll(".panel").forEach((panel, seat) => {
    panel.classList.toggle("turn", shown.toMove.includes(seat));
    panel.querySelector(".score").textContent = (shown.view.scores ?? shown.view.stores ?? [])[seat] ?? "";
    panel.querySelector(".rack").replaceChildren(...[...(shown.view.hands?.[seat] ?? "")].map(tile));
  });
}

/** The log grows to the step that is shown. */
function drawLog() {
  const log = byId("log");
  const wanted = step - block.from + 1;
  while (log.children.length > wanted) log.lastElementChild.remove();
  for (let place = log.children.length; place < wanted; place += 1) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `?step=${block.from + place}`;
    link.textContent = block.steps[place].line;
    item.append(link);
    log.append(item);
  }
  log.querySelector(".current")?.removeAttribute("aria-current");
  log.querySelector(".current")?.classList.remove("current");
  log.lastElementChild?.classList.add("current");
  log.lastElementChild?.setAttribute("aria-current", "step");
  log.parentElement.scrollTop = 0;
}

function draw() {
  const shown = block.steps[step - block.from];
  if (!shown) return;
  drawBoard(shown);
  drawPanels(shown);
  drawLog();
  byId("slider").max = block.moves;
  byId("slider").value = step;
  byId("where").textContent = `${step} / ${block.moves}`;
  byId("previous").href = `?step=${Math.max(0, step - 1)}`;
  byId("next").href = `?step=${Math.min(block.moves, step + 1)}`;
  byId("last").href = `?step=${block.moves}`;
}

async function load(from, to = from + BLOCK - 1) {
  const answer = await fetch(`${address}/steps?from=${from}&to=${to}`);
  if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
  return answer.json();
}

async function show(wanted) {
  const to = Math.min(Math.max(0, wanted), block.moves);
  if (to < block.from || to >= block.from + block.steps.length) {
    if (loading) return;
    loading = true;
    try {
      block = await load(Math.floor(to / BLOCK) * BLOCK);
      byId("log").replaceChildren();
    } catch {
      location.search = `?step=${to}`;
      return;
    } finally {
      loading = false;
    }
  }
  step = Math.min(to, block.from + block.steps.length - 1);
  history.replaceState(null, "", `?step=${step}`);
  draw();
}

/** A game that goes on is followed, if its last step is the one that is shown. */
async function follow() {
  if (!byId("live") || document.hidden || loading) return;
  try {
    // One step comes with how far the game is: whether to ask for the others.
    const { revision } = await load(block.from, block.from);
    if (revision === block.revision) return;
    const newest = await load(block.from);
    const follows = step === block.moves;
    block = newest;
    byId("log").replaceChildren();
    if (newest.over) {
      byId("live").remove();
      location.search = `?step=${newest.moves}`;
      return;
    }
    await show(follows ? newest.moves : step);
  } catch {
    byId("live").remove();
    location.reload();
  }
}

const ways = { first: () => 0, previous: () => step - 1, next: () => step + 1, last: () => block.moves };
for (const [id, way] of Object.entries(ways)) {
  byId(id).addEventListener("click", (event) => {
    event.preventDefault();
    show(way());
  });
}
byId("log").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  show(Number(new URL(link.href).searchParams.get("step")));
});
byId("slider").hidden = false;
byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
document.addEventListener("keydown", (event) => {
  const way = keys[event.key];
  if (!way || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  show(ways[way]());
});
if (byId("live")) setInterval(follow, POLL_MS);
