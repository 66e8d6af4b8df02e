// Finding classes: whatever holds the text as it is comes first, then what uFuzzy takes for it (typing errors, words in
// another order).

const MODES = {
  name: { title: "names", text: (item) => item.name },
  file: { title: "files", text: (item) => item.file ?? "" },
  field: { title: "fields", text: (item) => (item.fields ?? []).map((field) => field.name).join(" ") },
};
const fuzzy = new uFuzzy({
  unicode: true,
  intraMode: 1,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: "\\p{Ll}\\p{Lu}",
  intraBound: "\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}",
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
});
const MAX_RANKED = 2000;
const haystacks = {};

function haystack(mode) {
  return (haystacks[mode] ??= report.classes.map(MODES[mode].text));
}

/** Numbers of the classes that a text finds, the best first; all of them for an empty text. */
function findClasses(text, mode) {
  const wanted = text.trim();
  const names = haystack(mode);
  if (!wanted) return names.map((_, place) => place);
  const lower = wanted.toLowerCase();
  const ranks = new Map();
  names.forEach((name, place) => {
    const at = name.toLowerCase().indexOf(lower);
    if (at >= 0) ranks.set(place, at === 0 ? (name.length === wanted.length ? 0 : 1) : 2);
  });
  const plain = [...ranks.keys()].sort((one, other) =>
    ranks.get(one) - ranks.get(other) || names[one].length - names[other].length || one - other);
  const [found, info, order] = fuzzy.search(names, wanted, 1, MAX_RANKED);
  const others = (info ? order.map((place) => info.idx[place]) : found ?? []).filter((place) => !ranks.has(place));
  return [...plain, ...others];
}
