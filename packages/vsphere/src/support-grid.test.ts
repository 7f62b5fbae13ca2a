import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { networkProviders, vmOperatorVersions } from './api/index.js';

interface Release {
  readonly release: string;
  readonly vcenter: boolean;
  readonly supervisor: boolean;
  readonly vmOperator: readonly string[];
  readonly networkProviders: readonly string[];
}

interface SupportGrid {
  readonly slipway: string;
  readonly contract: string;
  readonly clusterApi: string;
  readonly kubernetes: { readonly management: readonly string[]; readonly workload: readonly string[] };
  readonly vSphere: readonly Release[];
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const grid = JSON.parse(read('docs/reference/vsphere-support.json')) as SupportGrid;
const page = read('docs/concepts/vsphere-modes.md');

const yes = (value: boolean): string => (value ? 'yes' : 'no');
const listed = (names: readonly string[]): string => (names.length === 0 ? '–' : names.join(', '));

describe('the support grid', () => {
  it('equals the grid in the docs', () => {
    const rows = grid.vSphere.map(
      (each) =>
        `| ${each.release} | ${yes(each.vcenter)} | ${yes(each.supervisor)} | ${listed(each.vmOperator)} | ${listed(each.networkProviders)} |`,
    );
    const [, shown = ''] = page.split('<!-- grid -->\n');
    expect(shown.split('\n\n', 1)[0]?.split('\n').slice(2)).toEqual(rows);
    const prose = page.replaceAll('\n', ' ');
    expect(prose).toContain(`Management clusters: Kubernetes ${grid.kubernetes.management.join(', ')}.`);
    expect(prose).toContain(`Workload clusters: Kubernetes ${grid.kubernetes.workload.join(', ')}.`);
    expect(prose).toContain(
      `Slipway ${grid.slipway} implements contract ${grid.contract} (Cluster API ${grid.clusterApi}).`,
    );
  });

  it('contains the current release', () => {
    const { version } = JSON.parse(read('packages/vsphere/package.json')) as { version: string };
    expect(version.startsWith(`${grid.slipway}.`)).toBe(true);
  });

  it('contains exactly the existing entries', () => {
    const versions = new Set(grid.vSphere.flatMap((each) => each.vmOperator));
    const providers = new Set(grid.vSphere.flatMap((each) => each.networkProviders));
    expect([...versions].sort()).toEqual([...vmOperatorVersions].sort());
    expect([...providers].sort()).toEqual([...networkProviders].sort());
    for (const { supervisor, vmOperator } of grid.vSphere) expect(vmOperator.length > 0).toBe(supervisor);
  });
});
