import type { VCenters } from '../connection/vcenters.js';
import type { MachineFacts } from '../connection/vcenters.js';
import type { UpdatePolicy } from '../matrix/index.js';
import type { ImageOptions } from '../render/index.js';
import type { MatrixSupply, TemplateSupply } from '../supply/index.js';
import type { OperatorMetrics } from './operator-metrics.js';

/** What the operator is told by its command line: none of it belongs into a VDOConfig. */
export interface OperatorOptions {
  readonly namespace: string;
  readonly updatePolicy: UpdatePolicy;
  readonly images: ImageOptions;
  /** The address of a matrix that comes before all others. */
  readonly matrix?: string | undefined;
  /** What happens to the drivers when their VDOConfig is deleted. */
  readonly deletionPolicy: 'Retain' | 'Delete';
  /** It runs beside the management plane of the cluster, and not in the cluster. */
  readonly isHosted?: boolean;
  /** Hours of the day in UTC within which versions may change by themselves. */
  readonly maintenanceWindow?: { readonly fromHour: number; readonly toHour: number } | undefined;
}

export interface OperatorWorld {
  readonly options: OperatorOptions;
  readonly vcenters: VCenters;
  readonly matrices: MatrixSupply;
  readonly templates: TemplateSupply;
  readonly metrics: OperatorMetrics;
  /** `major.minor` of the API server. */
  readonly kubernetesVersion: (signal: AbortSignal) => Promise<string>;
  readonly memory: OperatorMemory;
}

/** What is only worth something while the process runs: losing it costs one more look. */
export interface OperatorMemory {
  /** When each connection was last checked, by its key. */
  readonly checkedMs: Map<string, number>;
  /** When the objects of each driver were last applied. */
  readonly appliedMs: Map<string, number>;
  /** The machines of all vCenters, and of when they are. */
  machines: { readonly readMs: number; readonly key: string; readonly found: readonly MachineFacts[] } | undefined;
}

export function createMemory(): OperatorMemory {
  return { checkedMs: new Map(), appliedMs: new Map(), machines: undefined };
}
