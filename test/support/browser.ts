import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * True if the machine has a browser. A suite without one prints one line about what it leaves out.
 */
export const hasBrowser = (leftOut: string): boolean => {
  if (existsSync(CHROMIUM)) return true;
  console.warn(`no ${CHROMIUM}: ${leftOut} is not tested (apt-get install chromium)`);
  return false;
};

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
