import { readdirSync } from 'node:fs';
import { median } from '../api/load/statistics.js';
import { cpuMs, residentMegabytes } from '../process-usage.js';

/** The memory and descriptors of a process at one moment. */
export interface Sample {
  readonly megabytes: number;
  readonly descriptors: number;
  readonly cpuMs: number;
}

export function sampleOf(processId: number): Sample {
  return {
    megabytes: residentMegabytes([processId]),
    descriptors: readdirSync(`/proc/${processId}/fd`).length,
    cpuMs: cpuMs([processId]),
  };
}

/** Limits up to which growth is normal. */
const allowed = { megabytes: { factor: 1.1, add: 20 }, descriptors: { factor: 1.05, add: 5 } };

/** Returns messages about growth between the third and the last quarter of the run. Empty if there is none. */
export function grown(samples: readonly Sample[]): readonly string[] {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) return ['too few samples to detect growth'];
  return (['megabytes', 'descriptors'] as const).flatMap((name) => {
    const values = samples.map((sample) => sample[name]);
    const [before, after] = [median(values.slice(-2 * quarter, -quarter)), median(values.slice(-quarter))];
    const { factor, add } = allowed[name];
    return after <= before * factor + add ? [] : [`${name} grew from ${before.toFixed(0)} to ${after.toFixed(0)}`];
  });
}
