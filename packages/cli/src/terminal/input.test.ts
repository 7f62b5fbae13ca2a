import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { discardInput } from './input.js';

it('discardInput discards input from before the question, and keeps later input', async () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  input.write('y');
  input.write('\n');
  await discardInput(input);
  input.write('n');
  input.resume();
  const answer = await new Promise<string>((resolve) => input.once('data', (data: Buffer) => resolve(String(data))));
  expect(answer).toBe('n');
  expect(modes).toEqual([true, false]);
});
