// Licences as SPDX writes them: which of a choice is taken, and which one a text is.

/** Of a choice the first of these is taken: the shortest texts first. */
const PREFERRED = [
  'MIT',
  'ISC',
  'BSD-3-Clause',
  'BSD-2-Clause',
  'Zlib',
  '0BSD',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
];

const rank = (licence) => {
  const at = PREFERRED.indexOf(licence);
  return at < 0 ? PREFERRED.length : at;
};

/** The licences under which something is taken: `MIT OR Apache-2.0` is MIT, `MIT AND Unicode-3.0` is both. */
export function takenUnder(expression) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  const taken = anyOf(words);
  if (words.length > 0) throw new Error(`'${expression}' is no SPDX expression`);
  return taken;
}

function anyOf(words) {
  const choices = [allOf(words)];
  while (words[0] === 'OR') {
    words.shift();
    choices.push(allOf(words));
  }
  const worst = (licences) => Math.max(...licences.map(rank));
  return choices.reduce((best, one) => (worst(one) < worst(best) ? one : best));
}

function allOf(words) {
  const licences = one(words);
  while (words[0] === 'AND') {
    words.shift();
    licences.push(...one(words));
  }
  return [...new Set(licences)];
}

function one(words) {
  const word = words.shift();
  if (word === undefined) throw new Error('An SPDX expression ends too early');
  if (word === '(') {
    const inside = anyOf(words);
    words.shift();
    return inside;
  }
  if (words[0] === 'WITH') return [[word, words.shift(), words.shift()].join(' ')];
  return [word];
}

/** What is only in the text of each licence. */
const MARKS = [
  ['Apache-2.0', /Apache License,?\s+Version 2\.0/],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining/],
  [
    '0BSD',
    /Permission to use, copy, modify, and\/or distribute this software for any purpose with or without fee is hereby granted\./,
  ],
  ['ISC', /Permission to use, copy, modify, and(\/or)? distribute this software .* provided that/],
  [
    'BSD-3-Clause',
    /Redistribution and use in source and binary forms.*(Neither the name|used to endorse or promote)/,
  ],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms/],
  ['Zlib', /This software is provided ['‘]as-is['’]/],
  ['Unlicense', /This is free and unencumbered software/],
  ['CC0-1.0', /CC0 1\.0 Universal/],
  ['Unicode-3.0', /UNICODE LICENSE V3/],
  ['MPL-2.0', /Mozilla Public License,? Version 2\.0/i],
  ['CDLA-Permissive-2.0', /Community Data License Agreement - Permissive - Version 2\.0/i],
  ['BSL-1.0', /Boost Software License/],
  ['OFL-1.1', /SIL Open Font License/i],
  ['LLVM-exception', /LLVM Exceptions to the Apache 2\.0 License/],
];

/** The licences that a text holds. */
export function licencesIn(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  const found = MARKS.filter(([, mark]) => mark.test(line)).map(([licence]) => licence);
  return found.includes('BSD-3-Clause') ? found.filter((one) => one !== 'BSD-2-Clause') : found;
}
