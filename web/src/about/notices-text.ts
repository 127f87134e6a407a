// The notices' file in its parts, as supply-chain/notices.mjs writes them: lists of components, then licenses' texts.

const RULE = `${'='.repeat(80)}\n`;

/** The lists' headings in the file. */
const PARTS = {
  'Crates of the server': 'crates',
  'Packages of the page': 'packages',
  Fonts: 'fonts',
  'Other parts': 'others',
} as const;

type PartName = (typeof PARTS)[keyof typeof PARTS];

export interface Component {
  name: string;
  version: string;
  license: string;
}

export interface LicenseText {
  /** Of the license, or that it is a notice. */
  title: string;
  /** What comes under it, with the lines that say whose it is. */
  components: string;
  text: string;
}

export interface Notices {
  parts: { name: PartName; components: Component[] }[];
  texts: LicenseText[];
}

export function parseNotices(file: string): Notices {
  const [, ...pieces] = file.split(RULE);
  const notices: Notices = { parts: [], texts: [] };
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const title = (pieces[at] ?? '').trim();
    const body = (pieces[at + 1] ?? '').trim();
    if (isPart(title)) notices.parts.push({ name: PARTS[title], components: componentsOf(body) });
    else notices.texts.push(textOf(title, body));
  }
  return notices;
}

const isPart = (title: string): title is keyof typeof PARTS => title in PARTS;

function componentsOf(body: string): Component[] {
  return [...body.matchAll(/^(\S+) (\S+) +(.+)$/gm)].map(([, name = '', version = '', license = '']) => ({
    name,
    version,
    license,
  }));
}

/** Above the first empty line is what comes under it. */
function textOf(title: string, body: string): LicenseText {
  const end = body.indexOf('\n\n');
  // The file's lines are as long as a terminal's.
  const components = body.slice(0, end).replaceAll(',\n', ', ');
  return { title, components, text: body.slice(end).replace(/^\n+/, '') };
}
