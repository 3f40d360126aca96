// Times the first answer for a 4x4 board, in new processes of Node.js and new profiles of Chromium: from before the
// package is imported, with the worker, the module and the tables, until the answer. LOYD_URL is a server of the project.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { scramble } from 'loyd';

const RUNS = 15;
const { boards } = await scramble('4x4', { seed: 1, number: RUNS + 1 });
const script = (from, run) => `
  const start = performance.now();
  const { solve } = await import('${from}');
  const { optimal, length } = await solve('${boards[run].board}');
  const ms = performance.now() - start;
  const again = performance.now();
  await solve('${boards[run + 1].board}');
  const result = [optimal ? ms : NaN, performance.now() - again, length];`;

function inNode(run) {
  const text = `${script('loyd', run)}\nconsole.log(JSON.stringify(result));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8', cwd: import.meta.dirname }));
}

const shown = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(0);
  return `median ${at(0.5)} ms, longest ${at(1)} ms`;
};
const report = (name, results) => console.log(`${name.padEnd(9)} first answer: ${shown(results.map(([first]) => first))}; next: ${shown(results.map(([, next]) => next))}`);

report('Node.js', Array.from({ length: RUNS }, (_, run) => inNode(run)));

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const browser = await chromium.launch({ executablePath: process.env.LOYD_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const results = [];
for (let run = 0; run < RUNS; run += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${process.env.LOYD_URL}blank.html`);
  results.push(await page.evaluate(`(async () => {${script('./node_modules/loyd/index.js', run)} return result; })()`));
  await context.close();
}
report('Chromium', results);
await browser.close();
