// Checks the dice of a battle in the browser: what docs/check_dice.py does, with nothing of the server's but what it
// published. Only secure pages (https, or this machine) have the hashes of the browser; elsewhere it says so.

// The sides of each die, in the order in which they are counted.
const DICE = {
  red_attack: "hit hit hit hit hit critical surge blank",
  black_attack: "hit hit hit critical surge blank blank blank",
  white_attack: "hit critical surge blank blank blank blank blank",
  red_defense: "block block block surge blank blank",
  white_defense: "block surge blank blank blank blank",
};

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Bytes without end: 32 for each number of a block, which is the last line of the text.
async function* drawn(key, text) {
  for (let block = 0; ; block += 1) {
    const message = new TextEncoder().encode(`${text}\n${block}`);
    yield* new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  }
}

// A number below `limit`: bytes of the last, incomplete round are passed over, or one would be likelier.
const below = async (stream, limit) => {
  for (;;) {
    const { value } = await stream.next();
    if (value < 256 - (256 % limit)) return value % limit;
  }
};

const fallen = async (key, text, draw) => {
  const stream = drawn(key, text);
  const left = draw.die ? DICE[draw.die].split(" ") : [...draw.bag].sort();
  const faces = [];
  while (faces.length < draw.faces.length) {
    const place = await below(stream, left.length);
    faces.push(draw.die ? left[place] : left.splice(place, 1)[0]);
  }
  return faces;
};

// What is wrong first: the kind of sentence that says so, and the number that stands in it.
const check = async (exported) => {
  const keys = new Map();
  for (const seed of exported.seeds.filter((each) => each.seed)) {
    const secret = bytesOf(seed.seed);
    if (hexOf(await crypto.subtle.digest("SHA-256", secret)) !== seed.commitment) return ["broken", seed.number];
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    keys.set(seed.number, { key, words: [seed.blue_word, seed.red_word], shown: seed.shown_at });
  }
  // What was rolled first by which seed: the same roll keeps it, and after it was shown no other may use it.
  const first = new Map();
  let checked = 0;
  for (const [place, draw] of exported.draws.entries()) {
    if (draw.number !== place + 1) return ["missing", place + 1];
    const seed = keys.get(draw.seed);
    const before = first.get(draw.label);
    first.set(draw.label, before ?? draw.seed);
    if (before && before !== draw.seed) return ["reseeded", draw.number];
    if (!seed) continue;
    if (!before && draw.at > seed.shown) return ["foreseen", draw.number];
    const text = ["musterbook dice 1", exported.battle, ...seed.words, draw.label].join("\n");
    if ((await fallen(seed.key, text, draw)).join() !== draw.faces.join()) return ["wrong", draw.number];
    checked += 1;
  }
  return ["right", checked];
};

const place = document.querySelector("[data-dice]");
const say = (kind, number) => {
  place.textContent = place.dataset[kind].replace("{number}", number);
  place.classList.add(kind === "right" ? "good" : "bad");
};

try {
  if (!globalThis.crypto?.subtle) say("insecure");
  else say(...(await check(await (await fetch(place.dataset.dice)).json())));
} catch {
  say("failed");
}
