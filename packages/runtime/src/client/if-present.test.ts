import { forbidden, notFound } from '@slipway/kube';
import { expect, it } from 'vitest';
import { ifPresent } from './if-present.js';

const pods = { group: '', resource: 'pods' };

it('takes an object that is not there for none, and nothing else', async () => {
  await expect(ifPresent(Promise.resolve('found'))).resolves.toBe('found');
  await expect(ifPresent(Promise.reject(notFound(pods, 'p')))).resolves.toBeUndefined();
  await expect(ifPresent(Promise.reject(forbidden(pods, 'p', 'no')))).rejects.toThrow('forbidden');
});
