import { expect, it } from 'vitest';
import { showProgress } from './plan-progress.js';

it('shows the progress in one line, at most ten times per second, and removes it', () => {
  const written: string[] = [];
  let now = 0;
  const progress = showProgress({ isTTY: true, write: (text) => written.push(text) }, () => now);
  progress.show({ phase: 'reading' });
  now = 50;
  progress.show({ phase: 'simulating', simulatedMs: 1, changes: 1 });
  now = 200;
  progress.show({ phase: 'simulating', simulatedMs: 720_000, changes: 34 });
  progress.clear();
  progress.clear();
  expect(written.map((text) => text.replaceAll('\r\u001B[2K', '|'))).toEqual([
    '|Reading the management cluster …',
    '|Simulating: 12 min of simulated time, 34 changes …',
    '|',
  ]);
});

it('writes nothing without a terminal', () => {
  const written: string[] = [];
  const progress = showProgress({ write: (text) => written.push(text) }, () => 0);
  progress.show({ phase: 'reading' });
  progress.clear();
  expect(written).toEqual([]);
});
