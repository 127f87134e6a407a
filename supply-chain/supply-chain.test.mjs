import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crateNames } from './components.mjs';
import { sameAs, split } from './licence-texts.mjs';
import { differences } from './notices.mjs';
import { refusals } from './npm-licences.mjs';
import { missing } from './sbom.mjs';
import { licencesIn, takenUnder } from './spdx.mjs';

const RULE = '='.repeat(80);

test('of a choice the shortest licence is taken, and of several together all', () => {
  assert.deepEqual(takenUnder('MIT OR Apache-2.0'), ['MIT']);
  assert.deepEqual(takenUnder('Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT'), ['MIT']);
  assert.deepEqual(takenUnder('(MIT OR Apache-2.0) AND Unicode-3.0'), ['MIT', 'Unicode-3.0']);
  assert.deepEqual(takenUnder('GPL-3.0-only'), ['GPL-3.0-only']);
  assert.throws(() => takenUnder('MIT AND'));
});

test('a text is known by what only its licence says', () => {
  const bsd = 'Redistribution and use in source and binary forms ...';
  assert.deepEqual(licencesIn(`${bsd} Neither the name of the author`), ['BSD-3-Clause']);
  assert.deepEqual(licencesIn(bsd), ['BSD-2-Clause']);
  assert.deepEqual(licencesIn('Apache License\n   Version 2.0, January 2004'), ['Apache-2.0']);
});

test('who holds the copyright is told from the text that many share', () => {
  const text = 'Permission is hereby granted ...\n\nTHE SOFTWARE IS PROVIDED "AS IS"';
  const one = split(`The MIT License (MIT)\n\nCopyright (c) 2020 Ann\n\n${text}\n`);
  const other = split(`MIT License\r\n\r\nCopyright 2021 Ben\r\n\r\n${text.replaceAll('"', '``')}`);
  assert.deepEqual([one.copyright, other.copyright], [['Copyright (c) 2020 Ann'], ['Copyright 2021 Ben']]);
  assert.equal(sameAs(one.text), sameAs(other.text));
  const torn = split(`Copyright 2020 Ann\nand everybody who helped\n\n${text}`);
  assert.deepEqual(torn.copyright, []);
  assert.match(torn.text, /^Copyright 2020 Ann\nand everybody/);
});

test('notices that lack a crate, or have one that is gone, are out of date', () => {
  const text = `${RULE}\nCrates of the server\n${RULE}\n\nactix 0.13.5    MIT\nring 0.17.14    ISC\n`;
  const crates = [
    { name: 'actix', version: '0.13.5' },
    { name: 'ring', version: '0.18.0' },
  ];
  assert.deepEqual(differences(text, [['Crates of the server', crates]]), [
    'ring 0.18.0 is missing',
    'ring 0.17.14 is not a part any more',
  ]);
});

test('a package under another licence is refused, and so is an exception that nothing needs', () => {
  const packages = [
    { name: 'left-pad', version: '1.0.0', licence: 'MIT OR GPL-3.0-only' },
    { name: 'viral', version: '1.0.0', licence: 'GPL-3.0-only' },
    { name: 'silent', version: '1.0.0', licence: '' },
    { name: 'font', version: '1.0.0', licence: 'OFL-1.1' },
  ];
  const exceptions = { 'font OFL-1.1': 'a font', 'gone MPL-2.0': 'it was here once' };
  assert.deepEqual(refusals(packages, exceptions), [
    "viral 1.0.0 is under 'GPL-3.0-only'",
    "silent 1.0.0 is under ''",
    'gone MPL-2.0: nothing needs this exception any more',
  ]);
});

test('a bill of materials without an entry of its lock file is incomplete', () => {
  const component = { name: 'dispatch', version: '0.1.0' };
  const bill = {
    metadata: { component },
    components: [{ group: '@radix-ui', name: 'rect', version: '1.1.3' }],
  };
  const locked = [component, { name: '@radix-ui/rect', version: '1.1.3' }, { name: 'ws', version: '8.21.3' }];
  assert.deepEqual(missing(bill, locked), ['ws 8.21.3']);
});

/** By feature: some of what it brings. */
const OPTIONAL = {
  hosted: ['dispatch-hosted', 'firestore', 'gcloud-sdk', 'google-cloud-auth', 'tonic'],
  traces: ['opentelemetry', 'opentelemetry-otlp', 'tracing-opentelemetry', 'prost'],
  'offsite-backups': ['age', 'rusty-s3'],
};

test("a server without an optional feature has none of its crates: Google's, tracing's, those of off-site backups", () => {
  const [all, none] = [crateNames(), crateNames('--no-default-features')];
  assert.ok(none.has('actix-web'), 'the tree is read');
  for (const [feature, names] of Object.entries(OPTIONAL)) {
    assert.deepEqual(
      names.filter((name) => !all.has(name)),
      [],
      feature,
    );
    assert.deepEqual(
      names.filter((name) => none.has(name)),
      [],
      feature,
    );
  }
  assert.deepEqual(
    [...none].filter((name) => /google|gcloud|firestore|firebase|grpc/.test(name)),
    [],
  );
});
