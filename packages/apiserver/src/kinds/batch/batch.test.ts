import { describe, expect, it } from 'vitest';
import { createIn, rowOf, updateIn } from '../test-support.js';
import { cronJobs } from './cron-job.js';
import { jobs } from './job.js';

const template = { spec: { containers: [{ name: 'c', image: 'x:1' }], restartPolicy: 'Never' } };

describe('Job', () => {
  it('selects its pods by its uid', async () => {
    const { object, errors } = await createIn(jobs, { spec: { template } });
    expect(errors).toEqual([]);
    expect(object).toMatchObject({
      metadata: { labels: { 'job-name': 'x' } },
      spec: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        suspend: false,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } },
        template: {
          metadata: { labels: { 'batch.kubernetes.io/controller-uid': 'u1', 'batch.kubernetes.io/job-name': 'x' } },
        },
      },
    });
  });

  it('requires restartPolicy OnFailure or Never', async () => {
    const endless = { spec: { containers: [{ name: 'c', image: 'x' }] } };
    expect((await createIn(jobs, { spec: { template: endless } })).errors).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it('rejects changes of completions', async () => {
    const { object } = await createIn(jobs, { spec: { template } });
    const spec = { ...(object.spec as object), completions: 2 };
    expect((await updateIn(jobs, object, { spec })).errors).toEqual([
      'spec.completions: Invalid value: 2: field is immutable',
    ]);
  });

  it.each([
    { conditions: [{ type: 'Complete', status: 'True' }], shown: 'Complete' },
    { conditions: [{ type: 'Failed', status: 'True' }], shown: 'Failed' },
    { conditions: [], shown: 'Running' },
  ])('prints $shown', ({ conditions, shown }) => {
    const job = {
      metadata: { name: 'j' },
      spec: { completions: 2 },
      status: { conditions, succeeded: 1, startTime: '2024-01-02T03:03:05Z' },
    };
    expect(rowOf(jobs, job)).toMatchObject({ Status: shown, Completions: '1/2', Duration: '60s' });
  });
});

describe('CronJob', () => {
  const spec = { jobTemplate: { spec: { template } } };

  it('gets the defaults of upstream, without the counts of its Job template', async () => {
    const { object, errors } = await createIn(cronJobs, { spec: { ...spec, schedule: '*/5 * * * *' } });
    expect(errors).toEqual([]);
    expect(object.spec).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    expect(JSON.stringify(object.spec)).not.toContain('completions');
  });

  it.each([
    { schedule: 'x', why: 'expected exactly 5 fields, found 1: [x]' },
    { schedule: '@never', why: 'unrecognized descriptor: @never' },
  ])('rejects the schedule $schedule', async ({ schedule, why }) => {
    expect((await createIn(cronJobs, { spec: { ...spec, schedule } })).errors).toEqual([
      `spec.schedule: Invalid value: "${schedule}": ${why}`,
    ]);
  });
});
