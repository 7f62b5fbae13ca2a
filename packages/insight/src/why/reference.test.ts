import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type ControllerPackage, declaredReasons } from '../../../../scripts/condition-reasons.js';
import { causeOfReason } from './condition-state.js';
import { reasonMeanings } from './reason-meanings.js';

const titles: Readonly<Record<ControllerPackage, string>> = {
  'cluster-api': 'Core Cluster API',
  'provider-kit': 'All infrastructure providers',
  kubeadm: 'Kubeadm bootstrap and control plane provider',
  dev: 'In-memory infrastructure provider',
  host: 'Host infrastructure provider',
  kvm: 'KVM infrastructure provider',
  vsphere: 'vSphere infrastructure provider',
  drivers: 'vSphere driver operator',
  operator: 'Provider operator',
  openshift: 'OpenShift operator',
};

const declared = declaredReasons(fileURLToPath(new URL('../../../..', import.meta.url)));

// `npx vitest run --project unit packages/insight/src/why -u` regenerates the pages.
describe('reference pages', () => {
  it('lists all reasons in docs/reference/condition-reasons.md', async () => {
    const sections = [...declared].map(([name, reasons]) => {
      const rows = reasons.map((reason) => `| \`${reason}\` | ${reasonMeanings[reason] ?? ''} |`);
      return `## ${titles[name]}\n\n| Reason | Meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
    });
    const page = `# Condition reasons

This page is generated from the code. Controllers report every wait and every failure with one of these reasons and a message with
the details. \`slipway why\` finds the reason that is the root cause.

${sections.join('\n')}`;
    await expect(page).toMatchFileSnapshot('../../../../docs/reference/condition-reasons.md');
  });

  it('has a meaning for every reason in the source code of the controllers, and for no other', () => {
    const used = new Set([...declared.values()].flat());
    expect(Object.keys(reasonMeanings).toSorted()).toEqual([...used].toSorted());
  });

  it('derives causes only from reasons that a controller or the driver operator reports', () => {
    const used = new Set([...declared.values()].flat());
    const ofDrivers = ['AccountLocked', 'InvalidLogin', 'PasswordExpired', 'PrivilegesMissing'];
    expect([...causeOfReason.keys()].filter((reason) => !used.has(reason) && !ofDrivers.includes(reason))).toEqual([]);
  });
});
