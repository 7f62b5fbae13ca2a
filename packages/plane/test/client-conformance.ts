import { afterAll, beforeAll, describe } from 'vitest';
import { toCustomResourceDefinition } from '@slipway/kube/kit';
import { type Client, customResourceDefinitions, namespaces } from '@slipway/runtime';
import { deletionTests, discoveryTests, listTests } from './collection-conformance.js';
import { established, namespace, widgetKind } from './conformance-fixtures.js';
import { objectTests, writeTests } from './object-conformance.js';
import { watchTests } from './watch-conformance.js';

export interface ConformanceTarget {
  readonly client: Client;
  stop(): Promise<void>;
}

/** Tests the behaviour that every Client must have. Each implementation runs this suite against the servers that it supports. */
export function clientConformance(name: string, start: () => Promise<ConformanceTarget>): void {
  describe(`a client: ${name}`, () => {
    let target: ConformanceTarget;
    let client: Client;

    beforeAll(async () => {
      target = await start();
      client = target.client;
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const definition = toCustomResourceDefinition(widgetKind);
      await client.create(customResourceDefinitions, definition);
      await established(client, definition.metadata.name ?? '');
    });

    afterAll(() => target?.stop());

    describe('objects', () => {
      objectTests(() => client);
    });
    describe('writes', () => {
      writeTests(() => client);
    });
    describe('deletion', () => {
      deletionTests(() => client);
    });
    describe('lists', () => {
      listTests(() => client);
    });
    describe('watches', () => {
      watchTests(() => client);
    });
    describe('discovery and subresources', () => {
      discoveryTests(() => client);
    });
  });
}
