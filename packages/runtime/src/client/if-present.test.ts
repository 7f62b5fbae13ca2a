import { forbidden, notFound } from '@slipway/kube';
import { expect, it } from 'vitest';
import { ifPresent } from './if-present.js';

const pods = { group: '', resource: 'pods' };

it('maps NotFound to undefined and rethrows other errors', async () => {
  await expect(ifPresent(Promise.resolve('found'))).resolves.toBe('found');
  await expect(ifPresent(Promise.reject(notFound(pods, 'p')))).resolves.toBeUndefined();
  await expect(ifPresent(Promise.reject(forbidden(pods, 'p', 'no')))).rejects.toThrow('forbidden');
});
