// Which page is shown: each for its time, in turn.

export class Pager {
  private page = 0;
  private since = 0;

  /** The current page, from 0; turns to the next one when its time has come. */
  pageAt(pages: number, eachMs: number, now: number): number {
    if (pages < 2) this.page = 0;
    if (this.since === 0 || pages < 2) this.since = now;
    if (now - this.since >= eachMs) {
      this.page++;
      this.since = now;
    }
    if (this.page >= pages) {
      this.page = 0;
      this.since = now;
    }
    return this.page;
  }
}
