import type { PodTemplate } from './core.js';
import { type BuiltinObject, type Condition, type LabelSelectorValue, namespacedResource } from './define.js';

export type Job = BuiltinObject<
  'batch/v1',
  'Job',
  {
    spec?: {
      parallelism?: number;
      completions?: number;
      backoffLimit?: number;
      activeDeadlineSeconds?: number;
      ttlSecondsAfterFinished?: number;
      suspend?: boolean;
      selector?: LabelSelectorValue;
      template: PodTemplate;
    };
    status?: {
      active?: number;
      succeeded?: number;
      failed?: number;
      startTime?: string;
      completionTime?: string;
      conditions?: Condition[];
    };
  }
>;
export const jobs = namespacedResource<Job>('batch', 'v1', 'Job', 'jobs');
