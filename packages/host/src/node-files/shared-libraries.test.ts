import { expect, it } from 'vitest';
import { parseLibraries } from './shared-libraries.js';

it('finds the libraries and the loader, each once', () => {
  const printed = `	linux-vdso.so.1 (0x00007ffd0)
	libresolv.so.2 => /lib/x86_64-linux-gnu/libresolv.so.2 (0x00007f1)
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2)
	libmissing.so => not found
	/lib64/ld-linux-x86-64.so.2 (0x00007f3)
`;
  expect(parseLibraries(printed)).toEqual([
    '/lib/x86_64-linux-gnu/libresolv.so.2',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ]);
});
