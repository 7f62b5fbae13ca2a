import type { MutableJsonObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { reviewConversions } from './review.js';

const thing = (name: string): MutableJsonObject => ({ apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name } });
const review = (objects: MutableJsonObject[]): MutableJsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u', desiredAPIVersion: 'x.io/v2', objects },
});
const failed = (message: string): object => ({
  response: { uid: 'u', convertedObjects: [], result: { status: 'Failure', message } },
});

describe('reviewConversions', () => {
  it('passes all objects to the handler in one call, and awaits it', async () => {
    const sizes: number[] = [];
    const answer = await reviewConversions(review([thing('a'), thing('b')]), (objects, apiVersion) => {
      sizes.push(objects.length);
      return Promise.resolve(objects.map((object) => ({ ...object, apiVersion })));
    });
    expect(sizes).toEqual([2]);
    expect(answer).toMatchObject({
      response: {
        uid: 'u',
        convertedObjects: [
          { apiVersion: 'x.io/v2', metadata: { name: 'a' } },
          { apiVersion: 'x.io/v2', metadata: { name: 'b' } },
        ],
        result: { status: 'Success' },
      },
    });
  });

  const rows = [
    { name: 'a missing object', convert: () => [], message: 'conversion of 1 objects returned 0 objects' },
    {
      name: 'an object with another identity',
      convert: () => [{ ...thing('b'), apiVersion: 'x.io/v2' }],
      message: 'conversion of Thing a to x.io/v2 changed its name, namespace or uid',
    },
    { name: 'a handler that fails', convert: () => Promise.reject(new Error('no contract')), message: 'no contract' },
  ];
  it.each(rows)('returns a failure: $name', async ({ convert, message }) => {
    expect(await reviewConversions(review([thing('a')]), convert)).toMatchObject(failed(message));
  });
});
