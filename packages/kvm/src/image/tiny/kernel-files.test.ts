import { expect, it } from 'vitest';
import { neededBy } from './kernel-files.js';

it.each([
  {
    name: 'its dependencies, by the names of the kernel',
    text: 'license=GPL\0depends=netfs,9pnet,crc32c-intel\0',
    needs: ['netfs', '9pnet', 'crc32c_intel'],
  },
  { name: 'no dependencies', text: 'license=GPL\0depends=\0retpoline=Y\0', needs: [] },
  { name: 'no module information', text: 'license=GPL\0', needs: [] },
])('reads from a module: $name', ({ text, needs }) => {
  expect(neededBy(Buffer.from(`\x7fELF\0${text}`, 'latin1'))).toEqual(needs);
});
