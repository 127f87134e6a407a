/** For tests: the pattern of a displayed time near the present, in a browser in American English. */
export const DISPLAYED_TIME = String.raw`(?:[Yy]esterday |[Tt]omorrow )?\d{1,2}:\d\d\s[AP]M`;
