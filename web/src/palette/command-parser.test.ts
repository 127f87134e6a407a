import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Technician } from '../api/repair-orders.ts';
import { technician } from '../api/technician.fixture.ts';
import { changeLanguage, i18n, type Language, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { emptyOrderCache, landList, type OpenOrder } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { stagesInUse } from '../repair-order/stages.ts';
import { parseInput } from './command-parser.ts';
import {
  batchReadings,
  ordersWithNumber,
  readings,
  techniciansNamed,
  unmatchedCommands,
} from './command-readings.ts';
import { vocabularyOf } from './command-vocabulary.ts';
import type { Command, Reading } from './commands.ts';

const team: Technician[] = [
  technician(1, 'Joe Alvarez', 'Brakes'),
  technician(2, 'José Ángel Ramírez', 'Engine'),
  technician(3, 'Mary Jo Chen', 'Joints'),
  technician(4, 'Ann Lee', 'Joints'),
];

const everything = { status: true, priority: true, dispatch: true };
const rows = [
  row(104389),
  row(40389, {
    regularIdTechnician: 1,
    regularTechFullName: 'Joe Alvarez',
    holds: [{ id: 3, reason: 'parts', since: '2026-03-02T09:00:00Z', whoActs: 'parts' }],
  }),
  row(7, { regularIdTechnician: 1, regularTechFullName: 'Joe Alvarez' }),
  row(7, { regularIdTechnician: 4, regularTechFullName: 'Ann Lee' }),
];
const { open } = landList(emptyOrderCache, { rows, seq: 1 }, 0);

afterEach(() => changeLanguage('en'));

/** What the palette would offer for a sentence, each in a few words. */
function describeReadings(text: string, may: OrderPermissions = everything, usesStages = false): string[] {
  const vocabulary = vocabularyOf(i18n.t, usesStages ? stagesInUse(someStages) : null, i18n.language);
  const input = parseInput(text, vocabulary);
  if (input === null) return ['no sentence'];
  const desk = { technicians: team, may, vocabulary };
  const [orders = [], ...others] = input.numbers.map((number) => ordersWithNumber(open.values(), number));
  const [first, second] = [...orders, ...others.flat()];
  if (first !== undefined && second !== undefined && others.length > 0)
    return batchReadings(input, [first, second], desk).map(describeReading);
  const offers = [
    ...orders.flatMap((cached: OpenOrder) => readings(input, cached, desk)).map(describeReading),
    ...unmatchedCommands(input, orders, desk).map((command) => `as typed: ${ofCommand(command)}`),
  ];
  return offers.length === 0 && input.verbs.length === 0 ? ['no sentence'] : offers;
}

function describeReading(reading: Reading): string {
  if ('command' in reading) return ofCommand(reading.command);
  const { orders, text } = reading.beginning;
  return orders.length > 1 ? `${orders.map(({ order }) => order.key).join()} ...` : `${text}...`;
}

function ofCommand(command: Command): string {
  switch (command.kind) {
    case 'status':
      return `${command.number} status ${command.status}`;
    case 'priority':
      return `${command.cached.order.key} priority ${command.priority}`;
    case 'reassign':
      return `${command.cached.order.key} reassign ${command.from.id} ${command.technician.id}`;
    case 'details':
    case 'copy':
    case 'story':
      return `${command.cached.order.key} ${command.kind}`;
    case 'stage':
      return `${command.cached.order.key} stage ${command.stage.id}`;
    case 'hold':
      return `${command.cached.order.key} hold`;
    case 'endHold':
      return `${command.cached.order.key} end hold ${command.hold.id}`;
    case 'batch':
      return `${command.orders.map(({ order }) => order.key).join()} batch ${command.technician.id}`;
    default:
      return `${command.cached.order.key} ${command.kind} ${command.technician.id}`;
  }
}

const sentences: Record<Language, [string, string[]][]> = {
  en: [
    ['104389 assign joe', ['104389 dispatch 1']],
    ['4389 assign joe', ['104389 dispatch 1']],
    ['4389 as jo', ['104389 dispatch 1', '104389 dispatch 2', '104389 dispatch 3', '104389 dispatch 4']],
    ['4389 as ann', ['104389 dispatch 4']],
    ['4389 ASSIGN jose angel', ['104389 dispatch 2']],
    ['4389 d ann', ['104389 dispatch 4']],
    ['#4389 add joe', ['104389 dispatch 1']],
    ['0389 add ann', ['40389 add 4']],
    ['0389 assign ann', ['40389 add 4']],
    ['389 p h', ['104389 priority High', '40389 priority High']],
    ['4389 status waiting', ['104389 status Waiting']],
    ['4389 st', ['104389 status ...', '104389 story']],
    ['4389 sta', ['104389 status Waiting', '104389 status PDI', '104389 status Used']],
    ['4389 priority high', ['104389 priority High']],
    ['4389 details', ['104389 details']],
    ['4389 copy vin', ['104389 copy']],
    ['4389 c v', ['104389 copy']],
    ['4389 copy joe', ['no sentence']],
    ['40389 reassign ann', ['40389 reassign 1 4']],
    ['7 reassign mary', ['7 reassign 1 3', '7 reassign 4 3']],
    ['7 reassign joe', []],
    ['104389 reassign joe', []],
    ['7 remove', ['7 remove 1', '7 remove 4']],
    ['7 remove joe', ['7 remove 1']],
    ['104389 remove joe', []],
    ['40389 r joe', ['40389 reassign joe...', '40389 remove joe...']],
    ['4389 d', ['104389 details', '104389 assign ...']],
    ['4389 details joe', ['no sentence']],
    ['4389 accord', ['no sentence']],
    ['assign joe 4389', ['104389 dispatch 1']],
    ['joe 4389 assign', ['104389 dispatch 1']],
    ['assign joe to ro 4389', ['104389 dispatch 1']],
    ['4389 joe', ['104389 dispatch 1']],
    ['joe 4389', ['104389 dispatch 1']],
    ['alvarez joe #4389', ['104389 dispatch 1']],
    ['ann 40389', ['40389 add 4', '40389 reassign 1 4']],
    ['joe 40389', ['no sentence']],
    ['joints 4389', ['no sentence']],
    ['4389 high', ['104389 priority High']],
    ['high 4389', ['104389 priority High']],
    ['high priority 4389', ['104389 priority High']],
    ['set 4389 to high', ['104389 priority High']],
    ['h 4389', ['no sentence']],
    ['waiting 4389', ['104389 status Waiting', '104389 priority Waiting']],
    ['waiting status 4389', ['104389 status Waiting']],
    ['pdi 4389', ['104389 status PDI']],
    ['remove 7 joe', ['7 remove 1']],
    ['unassign joe 7', ['7 remove 1']],
    ['reassign 40389 from joe to ann', ['40389 reassign 1 4']],
    ['ann 40389 reassign', ['40389 reassign 1 4']],
    ['open 4389', ['104389 details']],
    ['4389 open', ['104389 details']],
    ['vin 4389', ['104389 copy']],
    ['copy 4389 vin', ['104389 copy']],
    ['story 4389', ['104389 story']],
    ['4389 story joe', ['no sentence']],
    ['assign joe 104389 7', []],
    ['assign mary 104389 40389', ['104389,40389 batch 3']],
    ['104389 40389 mary', ['104389,40389 batch 3']],
    ['104389 40389', ['104389,40389 ...']],
    ['104389 40389 high', []],
  ],
  de: [
    ['4389 zuteilen joe', ['104389 dispatch 1']],
    ['4389 zuw ann', ['104389 dispatch 4']],
    ['0389 hinzufugen ann', ['40389 add 4']],
    ['40389 wechseln ann', ['40389 reassign 1 4']],
    ['7 entf joe', ['7 remove 1']],
    ['4389 status gebraucht', ['104389 status Used']],
    ['4389 status used', ['104389 status Used']],
    ['4389 priorität hoch', ['104389 priority High']],
    ['4389 prio h', ['104389 priority High']],
    ['4389 fin kopieren', ['104389 copy']],
    ['4389 assign joe', ['104389 dispatch 1']],
    ['joe an auftrag 4389 zuteilen', ['104389 dispatch 1']],
    ['hoch 4389', ['104389 priority High']],
    ['öffnen 4389', ['104389 details']],
    ['bericht 4389', ['104389 story']],
  ],
  es: [
    ['4389 asignar joe', ['104389 dispatch 1']],
    ['0389 anadir ann', ['40389 add 4']],
    ['40389 cambiar ann', ['40389 reassign 1 4']],
    ['40389 c ann', ['40389 reassign 1 4']],
    ['40389 c', ['40389 reasignar ...', '40389 copy']],
    ['7 quitar joe', ['7 remove 1']],
    ['4389 estado espera', ['104389 status Waiting']],
    ['4389 e used', ['104389 status Used']],
    ['4389 prioridad alta', ['104389 priority High']],
    ['4389 copiar vin', ['104389 copy']],
    ['4389 priority high', ['104389 priority High']],
    ['asignar la orden 4389 a joe', ['104389 dispatch 1']],
    ['alta 4389', ['104389 priority High']],
    ['abrir 4389', ['104389 details']],
    ['informe 4389', ['104389 story']],
  ],
};

describe.each(['en', 'de', 'es'] as const)('in %s', (language) => {
  test.each(sentences[language])("'%s' means %j", async (text, expected) => {
    await changeLanguage(language);
    expect(describeReadings(text)).toEqual(expected);
  });

  test('the examples that the palette gives are commands', async () => {
    await changeLanguage(language);
    expect(describeReadings(i18n.t('palette.exampleSentence.dispatch'))).toEqual(['104389 dispatch 1']);
    expect(describeReadings(i18n.t('palette.exampleSentence.priority'))).toEqual(['104389 priority High']);
  });
});

describe('in a shop with stages', () => {
  const mayMove = { ...everything, stage: true };
  beforeAll(() => loadTexts(stageTexts));

  const stageSentences: Record<Language, [string, string[]][]> = {
    en: [
      ['4389 move to parts', ['104389 stage waiting-for-parts']],
      ['4389 stage in', ['104389 stage in-diagnosis', '104389 stage in-work']],
      ['move 4389 to ready', ['104389 stage ready']],
      ['4389 ready', ['104389 stage ready']],
      ['4389 waiting for parts', ['104389 stage waiting-for-parts']],
      ['4389 polish', ['no sentence']],
      ['4389 hold', ['104389 hold']],
      ['40389 end hold', ['40389 end hold 3']],
      ['4389 end hold', []],
      ['4389 status used', ['104389 status Used']],
    ],
    de: [
      ['4389 weiterrücken ready', ['104389 stage ready']],
      ['4389 warten lassen', ['104389 hold']],
      ['40389 warten beenden', ['40389 end hold 3']],
    ],
    es: [
      ['4389 pasar a ready', ['104389 stage ready']],
      ['4389 retener', ['104389 hold']],
      ['40389 terminar espera', ['40389 end hold 3']],
    ],
  };
  describe.each(['en', 'de', 'es'] as const)('in %s', (language) => {
    test.each(stageSentences[language])("'%s' means %j", async (text, expected) => {
      await changeLanguage(language);
      expect(describeReadings(text, mayMove, true)).toEqual(expected);
    });
  });

  test('who may not move orders is offered none of it', () => {
    expect(describeReadings('4389 move to ready', everything, true)).toEqual([]);
    expect(describeReadings('4389 hold', everything, true)).toEqual([]);
  });
});

test('a number alone offers every action on the order', () => {
  expect(describeReadings('104389')).toEqual([
    '104389 details',
    '104389 status ...',
    '104389 priority ...',
    '104389 assign ...',
    '104389 copy',
    '104389 story',
  ]);
  expect(describeReadings('40389 ')).toEqual([
    '40389 details',
    '40389 status ...',
    '40389 priority ...',
    '40389 reassign ...',
    '40389 add ...',
    '40389 remove ...',
    '40389 copy',
    '40389 story',
  ]);
});

test.each([
  ['999999 status used', ['as typed: 999999 status Used']],
  ['999999 st us', ['as typed: 999999 status Used']],
  ['999999 status foo', ['as typed: 999999 status foo']],
  ['4389 status foo', ['as typed: 104389 status foo']],
  ['999999 status', []],
  ['999999 assign joe', []],
])("a text without a match, '%s', is offered as %j", (text, offered) => {
  expect(describeReadings(text)).toEqual(offered);
});

test('a command the user may not execute is not offered', () => {
  const nothing = { status: false, priority: false, dispatch: false };
  expect(describeReadings('104389', nothing)).toEqual(['104389 details', '104389 copy', '104389 story']);
  for (const text of ['4389 assign joe', '4389 status used', '4389 priority high', '999999 status foo']) {
    expect(describeReadings(text, nothing)).toEqual([]);
  }
  // Without dispatching, 'd' can only mean details.
  expect(describeReadings('4389 d', { ...everything, dispatch: false })).toEqual(['104389 details']);
});

test('technicians are ordered by match: first name, then second name, then specialty', () => {
  expect(techniciansNamed(team, ['jo']).map(({ name }) => name)).toEqual([
    'Joe Alvarez',
    'José Ángel Ramírez',
    'Mary Jo Chen',
    'Ann Lee',
  ]);
});
