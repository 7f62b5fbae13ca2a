import type { KubeObject } from '@slipway/kube';
import { expect, it } from 'vitest';
import { list } from '../../kinds/shared/fields.js';
import { clusterRoles } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startRoleAggregation } from './role-aggregation.js';

function role(name: string, rest: Partial<KubeObject>): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    ...rest,
    metadata: { name, ...rest.metadata },
  };
}

it('keeps aggregated roles equal to the union of the selected roles', async () => {
  const plane = await Plane.open();
  plane.run(startRoleAggregation(plane));
  const resources = () => {
    const all = plane.get('rbac.authorization.k8s.io/clusterroles', '', 'all');
    return list(all?.['rules']).map(({ resources: names }) => names);
  };
  const rule = (resource: string) => [{ apiGroups: [''], resources: [resource], verbs: ['get'] }];
  const labels = { 'example.com/part': 'true' };
  await plane.client.create(
    role('all', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] }, rules: rule('forged') }),
  );
  await plane.settle();
  expect(resources()).toEqual([]);
  await plane.client.create(role('pods', { metadata: { labels }, rules: rule('pods') }));
  await plane.client.create(role('nodes', { metadata: { labels }, rules: rule('nodes') }));
  await plane.advance(1000);
  expect(resources()).toEqual([['nodes'], ['pods']]);
  await plane.client.delete(clusterRoles, '', 'nodes');
  await plane.advance(1000);
  expect(resources()).toEqual([['pods']]);
  await plane.dispose();
});
