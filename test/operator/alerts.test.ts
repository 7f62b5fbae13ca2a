import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alerts, prometheusRuleSpec } from '@slipway/openshift';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

/** Runs the real promtool, from Debian's prometheus package. */
function promtool(...given: readonly [command: string, files: Record<string, unknown>, file: string]): string {
  const [command, files, file] = given;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-alerts-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), stringify(content));
    return execFileSync('promtool', [...command.split(' '), join(folder, file)], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A series that is constant for three hours, in the notation of rule tests. */
const raising: Readonly<Record<string, { series: string; quiet: string; labels: Record<string, string> }>> = {
  ClusterAPIMachineWithoutValidNode: {
    series: 'capi_machine_created_timestamp_seconds{name="a",namespace="n",phase="Running",node=""}',
    quiet: 'capi_machine_created_timestamp_seconds{name="a",namespace="n",phase="Running",node="x"}',
    labels: { name: 'a', namespace: 'n', phase: 'Running' },
  },
  ClusterAPIMachineNotRunning: {
    series: 'capi_machine_created_timestamp_seconds{name="a",namespace="n",phase="Provisioning",node="x"}',
    quiet: 'capi_machine_created_timestamp_seconds{name="a",namespace="n",phase="Running",node="x"}',
    labels: { name: 'a', namespace: 'n', phase: 'Provisioning', node: 'x' },
  },
  ClusterAPIOperatorDown: {
    series: 'up{job="another"}',
    quiet: 'up{job="cluster-capi-operator"}',
    labels: {},
  },
  ClusterAPIOperatorDegraded: {
    series: 'cluster_operator_conditions{name="cluster-api",condition="Degraded"}',
    quiet: 'cluster_operator_conditions{name="dns",condition="Degraded"}',
    labels: { name: 'cluster-api', condition: 'Degraded' },
  },
  ClusterAPIMetricsCollectionFailing: {
    series: 'capi_operator_collector_up{job="zero"}',
    quiet: 'capi_operator_collector_up{job="one"}',
    labels: { job: 'zero' },
  },
  ClusterAPIMigrationNotSynchronized: {
    series: 'capi_operator_migration_not_synchronized{kind="Machine",name="a"}',
    quiet: 'capi_operator_migration_not_synchronized{kind="zero"}',
    labels: { kind: 'Machine', name: 'a' },
  },
  ClusterAPIProviderNotReady: {
    series: 'capi_operator_provider_ready{kind="zero",name="aws"}',
    quiet: 'capi_operator_provider_ready{kind="one"}',
    labels: { kind: 'zero', name: 'aws' },
  },
  MachineApproverMaxPendingCSRsReached: {
    series: 'mapi_current_pending_csr{job="a"}',
    quiet: 'mapi_current_pending_csr{job="zero"}',
    labels: { job: 'a' },
  },
};

function alertTest(name: string, time: string, isRaised: boolean) {
  const { series = '', quiet = '', labels = {} } = raising[name] ?? {};
  const alert = alerts.find((one) => one.name === name);
  const chosen = isRaised ? series : quiet;
  const value = chosen.includes('zero') ? 0 : 1;
  const fill = (text: string): string =>
    text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '');
  const annotations = { summary: fill(alert?.summary ?? ''), description: fill(alert?.description ?? '') };
  return {
    interval: '1m',
    input_series: [
      { series: chosen, values: `${value}x180` },
      ...['a', 'zero'].map((job) => ({ series: `mapi_max_pending_csr{job="${job}"}`, values: '0x180' })),
    ],
    alert_rule_test: [
      {
        eval_time: time,
        alertname: name,
        exp_alerts: isRaised
          ? [{ exp_labels: { severity: alert?.severity, ...labels }, exp_annotations: annotations }]
          : [],
      },
    ],
  };
}

describe('alerts', () => {
  it('are valid Prometheus rules [R40]', () => {
    expect(promtool('check rules', { 'rules.yaml': prometheusRuleSpec() }, 'rules.yaml')).toContain(
      `SUCCESS: ${alerts.length} rules found`,
    );
  });

  it('fire for lasting problems that affect users, and for nothing else [R41]', () => {
    expect(Object.keys(raising)).toEqual(alerts.map(({ name }) => name));
    const tests = alerts.flatMap(({ name, for: time }) => {
      const minutes = Number.parseInt(time, 10);
      const early = { ...alertTest(name, `${minutes - 1}m`, true) };
      early.alert_rule_test = [{ eval_time: `${minutes - 1}m`, alertname: name, exp_alerts: [] }];
      return [early, alertTest(name, `${minutes + 1}m`, true), alertTest(name, '120m', false)];
    });
    const files = {
      'rules.yaml': prometheusRuleSpec(),
      'tests.yaml': { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests },
    };
    expect(promtool('test rules', files, 'tests.yaml')).toContain('SUCCESS');
  });
});
