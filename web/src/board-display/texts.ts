// The texts of boards, in the board's configured language, or else the TV's.
import type { Category, Stage } from './board-state.ts';
import { categoryNames } from './categories.ts';

interface BoardTexts {
  language: string;
  pairTitle: string;
  pairHow: string;
  pairScan: string;
  linkSpent: string;
  newCodeIn(time: string): string;
  waitingForCode: string;
  noServer: string;
  connecting: string;
  live: string;
  late: string;
  notLiveSince(time: string): string;
  notSavingSince(time: string): string;
  /** The board cannot be rendered. */
  broken: string;
  thisIs: string;
  page(page: number, pages: number): string;
  /** Of a technician's cars, those for which there is no room. */
  more(count: number): string;
  /** A car that was on this page a moment ago. */
  gone: string;
  /** The same in one short word. */
  goneShort: string;
  carsWord(count: number): string;
  overdueWord: string;
  overdue(span: string): string;
  dueIn(span: string): string;
  dueNow: string;
  noPromise: string;
  minutes(n: number): string;
  hours(h: number, m: number): string;
  days(d: number, h: number): string;
  daysWord(n: number): string;
  overWeek: string;
  overTwoWeeks: string;
  offTheClock: string;
  /** The same in one short word. */
  offShort: string;
  nothingHere: string;
  nobody: string;
  jobs(done: number, jobs: number): string;
  readyAround: string;
  delayed: string;
  pickUp: string;
  category: Record<Category, string>;
  stage: Record<Stage, string>;
  /** The first stages, to those who prepare cars for sale and delivery: a customer's words are not theirs. */
  preparation: readonly string[];
}

const en: BoardTexts = {
  language: 'en-GB',
  pairTitle: 'Pair this screen',
  pairHow: 'At the desk, open Boards, choose Pair a screen and type this code.',
  pairScan: 'Or scan this with the phone of an owner or admin who is signed in.',
  linkSpent: 'The link of this screen is used up, too old or void.',
  newCodeIn: (time) => `New code in ${time}`,
  waitingForCode: 'Asking for a code',
  noServer: 'The server does not answer. Trying again.',
  connecting: 'Connecting',
  live: 'Live',
  late: 'Late',
  notLiveSince: (time) => `NOT LIVE SINCE ${time}`,
  notSavingSince: (time) => `Not saving since ${time}`,
  broken: 'NOT LIVE. LOADING AGAIN',
  thisIs: 'This board is',
  page: (page, pages) => `Page ${page} of ${pages}`,
  more: (count) => `+${count} more`,
  gone: 'No longer here',
  goneShort: 'Gone',
  carsWord: (count) => (count === 1 ? 'car' : 'cars'),
  overdueWord: 'Overdue',
  overdue: (span) => `Overdue ${span}`,
  dueIn: (span) => `In ${span}`,
  dueNow: 'Due now',
  noPromise: 'No time',
  minutes: (n) => `${n} min`,
  hours: (h, m) => (m === 0 ? `${h} h` : `${h} h ${m} min`),
  days: (d, h) => (h === 0 ? `${d} d` : `${d} d ${h} h`),
  daysWord: (n) => (n === 1 ? 'day' : 'days'),
  overWeek: 'Over a week',
  overTwoWeeks: 'Over 2 weeks',
  offTheClock: 'Off the clock',
  offShort: 'Off',
  nothingHere: 'No cars on this board',
  nobody: 'Nobody yet',
  jobs: (done, jobs) => `${done} of ${jobs} done`,
  readyAround: 'Expected',
  delayed: 'Taking longer',
  pickUp: 'Please see the desk',
  category: categoryNames('en'),
  stage: {
    'checked-in': 'Checked in',
    'in-line': 'In line',
    'in-work': 'Being worked on',
    'almost-done': 'Almost done',
    ready: 'Ready',
  },
  preparation: ['To be dispatched', 'Dispatched'],
};

const de: BoardTexts = {
  language: 'de',
  pairTitle: 'Diesen Bildschirm koppeln',
  pairHow: 'In der Disposition Anzeigetafeln öffnen, „Bildschirm koppeln“ wählen und diesen Code eingeben.',
  pairScan: 'Oder mit dem Telefon eines angemeldeten Inhabers oder Admins scannen.',
  linkSpent: 'Der Link dieses Bildschirms ist verbraucht, abgelaufen oder ungültig.',
  newCodeIn: (time) => `Neuer Code in ${time}`,
  waitingForCode: 'Code wird geholt',
  noServer: 'Der Server antwortet nicht. Neuer Versuch läuft.',
  connecting: 'Verbindung wird aufgebaut',
  live: 'Live',
  late: 'Verzögert',
  notLiveSince: (time) => `NICHT LIVE SEIT ${time}`,
  notSavingSince: (time) => `Speichert nicht seit ${time}`,
  broken: 'NICHT LIVE. WIRD NEU GELADEN',
  thisIs: 'Diese Anzeigetafel heißt',
  page: (page, pages) => `Seite ${page} von ${pages}`,
  more: (count) => `+${count} weitere`,
  gone: 'Nicht mehr hier',
  goneShort: 'Weg',
  carsWord: (count) => (count === 1 ? 'Fahrzeug' : 'Fahrzeuge'),
  overdueWord: 'Überfällig',
  overdue: (span) => `Überfällig ${span}`,
  dueIn: (span) => `In ${span}`,
  dueNow: 'Jetzt fällig',
  noPromise: 'Ohne Termin',
  minutes: (n) => `${n} min`,
  hours: (h, m) => (m === 0 ? `${h} h` : `${h} h ${m} min`),
  days: (d, h) => (h === 0 ? `${d} T` : `${d} T ${h} h`),
  daysWord: (n) => (n === 1 ? 'Tag' : 'Tage'),
  overWeek: 'Über 1 Woche',
  overTwoWeeks: 'Über 2 Wochen',
  offTheClock: 'Ausgestempelt',
  offShort: 'Aus',
  nothingHere: 'Keine Fahrzeuge auf dieser Anzeigetafel',
  nobody: 'Noch niemand',
  jobs: (done, jobs) => `${done} von ${jobs} fertig`,
  readyAround: 'Voraussichtlich',
  delayed: 'Dauert länger',
  pickUp: 'Bitte an den Empfang',
  category: categoryNames('de'),
  stage: {
    'checked-in': 'Angenommen',
    'in-line': 'Eingeplant',
    'in-work': 'In Arbeit',
    'almost-done': 'Fast fertig',
    ready: 'Fertig',
  },
  preparation: ['Zuzuteilen', 'Zugeteilt'],
};

const es: BoardTexts = {
  language: 'es',
  pairTitle: 'Vincular esta pantalla',
  pairHow:
    'En el control de taller, abra Monitores de taller, elija «Vincular pantalla» y escriba este código.',
  pairScan: 'O escanéelo con el teléfono de un propietario o administrador con la sesión iniciada.',
  linkSpent: 'El enlace de esta pantalla ya se usó, caducó o fue anulado.',
  newCodeIn: (time) => `Código nuevo en ${time}`,
  waitingForCode: 'Pidiendo un código',
  noServer: 'El servidor no responde. Reintentando.',
  connecting: 'Conectando',
  live: 'En vivo',
  late: 'Desactualizado',
  notLiveSince: (time) => `SIN ACTUALIZAR DESDE LAS ${time}`,
  notSavingSince: (time) => `No guarda desde las ${time}`,
  broken: 'SIN ACTUALIZAR. RECARGANDO',
  thisIs: 'Este monitor de taller es',
  page: (page, pages) => `Página ${page} de ${pages}`,
  more: (count) => `+${count} más`,
  gone: 'Ya no está aquí',
  goneShort: 'Fuera',
  carsWord: (count) => (count === 1 ? 'vehículo' : 'vehículos'),
  overdueWord: 'Con retraso',
  overdue: (span) => `Retraso ${span}`,
  dueIn: (span) => `En ${span}`,
  dueNow: 'Para ahora',
  noPromise: 'Sin hora',
  minutes: (n) => `${n} min`,
  hours: (h, m) => (m === 0 ? `${h} h` : `${h} h ${m} min`),
  days: (d, h) => (h === 0 ? `${d} d` : `${d} d ${h} h`),
  daysWord: (n) => (n === 1 ? 'día' : 'días'),
  overWeek: 'Más de 1 semana',
  overTwoWeeks: 'Más de 2 semanas',
  offTheClock: 'Sin fichar',
  offShort: 'No está',
  nothingHere: 'No hay vehículos en este monitor de taller',
  nobody: 'Nadie aún',
  jobs: (done, jobs) => `${done} de ${jobs} hechos`,
  readyAround: 'Previsto',
  delayed: 'Tardará más',
  pickUp: 'Pase por recepción',
  category: categoryNames('es'),
  stage: {
    'checked-in': 'Recibido',
    'in-line': 'En cola',
    'in-work': 'En el taller',
    'almost-done': 'Casi listo',
    ready: 'Listo',
  },
  preparation: ['Por asignar', 'Asignado'],
};

const textsByLanguage: Record<string, BoardTexts> = { en, de, es };

function screensOwn(): BoardTexts {
  for (const tag of navigator.languages) {
    const found = textsByLanguage[tag.split('-')[0] ?? ''];
    if (found !== undefined) return found;
  }
  return en;
}

export let texts = screensOwn();

/** Sets the language. Null, or a language unknown to this build: the screen's own. */
export function setLanguage(language: string | null): void {
  texts = textsByLanguage[language ?? ''] ?? screensOwn();
  document.documentElement.lang = texts.language;
}
