import { expect, it } from 'vitest';
import { createLogger } from './create-logger.js';

function capture(): { lines: string[]; write(line: string): void } {
  const lines: string[] = [];
  return { lines, write: (line) => void lines.push(line) };
}

it('writes JSON lines at or above its level, with the fields of its parent loggers', () => {
  const destination = capture();
  const logger = createLogger({ level: 'info', destination }).child({ component: 'http' });
  logger.debug({}, 'Hidden');
  logger.info({ Machine: 'a/b' }, 'Replacing machine');
  expect(destination.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'info', component: 'http', Machine: 'a/b', msg: 'Replacing machine' }),
  ]);
});

it('redacts tokens and authorization headers', () => {
  const destination = capture();
  createLogger({ level: 'info', destination }).info({ token: 'abc', headers: { authorization: 'Bearer abc' } }, 'Oops');
  expect(destination.lines.join('')).not.toContain('abc');
});

it('prints one readable line per record in pretty mode', () => {
  const destination = capture();
  createLogger({ level: 'info', destination, pretty: true }).warn(
    { path: '/api', detail: 'two words' },
    'Slow request',
  );
  expect(destination.lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN {2}Slow request path=\/api detail="two words"\n$/);
});

it.each([
  {
    name: 'as its message',
    level: 'info' as const,
    colour: false,
    expected: /^\S+ ERROR Failed err="no room left"\n$/,
  },
  { name: 'with its stack at level debug', level: 'debug' as const, colour: false, expected: /\n {4}at / },
  { name: 'in colour', level: 'info' as const, colour: true, expected: /\[31mERROR.\[0m Failed/ },
])('prints an error $name', ({ level, colour, expected }) => {
  const destination = capture();
  const logger = createLogger({ level, destination, pretty: true, colour });
  logger.error({ err: new Error('no room left') }, 'Failed');
  expect(destination.lines[0]).toMatch(expected);
});
