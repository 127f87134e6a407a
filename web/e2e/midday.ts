// The server's options for a shop where it is one in the afternoon, whenever and wherever a test is run: its day neither
// begins nor ends under the test, and what was begun fourteen hours ago was begun yesterday.
const HOUR = 13;
const hoursAhead = ((HOUR - new Date().getUTCHours() + 36) % 24) - 12;

/** POSIX counts these zones the other way round. */
export const MIDDAY_SHOP: readonly string[] = [
  '--time-zone',
  `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`,
];

/** And it closes late, so that a technician has a whole day's hours left. */
export const LONG_MIDDAY_SHOP: readonly string[] = [...MIDDAY_SHOP, '--shop-hours', 'Mon-Sun 00:00-23:59'];
