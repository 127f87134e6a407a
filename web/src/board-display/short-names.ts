// Shorter forms of a name and of a vehicle, for where there is no room for the whole.

/** Said as it is: 'Terrell J. III'. */
const GENERATION = /^(?:[IVX]{2,}|[JS]r\.?)$/;

/** 'Maximilian v. H.' for 'Maximilian von Habsburg', then 'Maximilian H.'. */
export function nameForms(name: string): string[] {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  const initials = rest.map(initial);
  if (rest.length === 0) return [name];
  return [name, [first, ...initials].join(' '), [first, ...initials.slice(-1)].join(' ')];
}

function initial(word: string): string {
  if (GENERATION.test(word)) return word;
  const letter = /\p{L}\p{M}*/u.exec(word);
  return letter === null ? word : `${letter[0]}.`;
}

/** Make and model: what stands behind them goes first. */
const LEAST_WORDS = 2;

/** '2003 Honda Accord EX' without its year, then without its trim, of which no one knows where it begins. */
export function vehicleForms(vehicle: string): string[] {
  const words = vehicle.trim().split(/\s+/);
  const named = /^(?:19|20)\d\d$/.test(words[0] ?? '') ? words.slice(1) : words;
  const forms = [vehicle];
  if (named.length > 0 && named.length < words.length) forms.push(named.join(' '));
  for (let count = named.length - 1; count >= LEAST_WORDS; count--)
    forms.push(named.slice(0, count).join(' '));
  return forms;
}
