// Fails where a package of the page comes under a licence that is not allowed here, as `cargo deny check licenses` does
// for crates (deny.toml).
//
//   node supply-chain/npm-licences.mjs
import { nameAndVersion, pagePackages } from './components.mjs';
import { takenUnder } from './spdx.mjs';

/** They ask for no more than that their text is passed on, which the notices do. */
const ALLOWED = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];

/** 'name licence' -> why it may be here all the same. */
const EXCEPTIONS = {
  '@fontsource-variable/inter OFL-1.1':
    'A font, passed on as it is; the licence asks that it is not sold by itself.',
  '@fontsource/ibm-plex-mono OFL-1.1':
    'A font, passed on as it is; the licence asks that it is not sold by itself.',
};

/** What is wrong: packages that are not allowed, and exceptions that nothing needs. */
export function refusals(packages, exceptions = EXCEPTIONS) {
  const unused = new Set(Object.keys(exceptions));
  const refused = packages.filter(({ name, licence }) => {
    if (licence === '') return true;
    const wrong = takenUnder(licence).filter((one) => !ALLOWED.includes(one));
    return wrong.filter((one) => !isException(`${name} ${one}`)).length > 0;
  });
  function isException(key) {
    unused.delete(key);
    return key in exceptions;
  }
  return [
    ...refused.map((one) => `${nameAndVersion(one)} is under '${one.licence}'`),
    ...[...unused].map((key) => `${key}: nothing needs this exception any more`),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const wrong = refusals(pagePackages());
  if (wrong.length > 0) {
    console.error(`Licences that supply-chain/npm-licences.mjs does not allow:\n  ${wrong.join('\n  ')}`);
    process.exitCode = 1;
  }
}
