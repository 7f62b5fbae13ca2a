import type { VCenters } from '../connection/vcenters.js';
import type { MachineFacts } from '../connection/vcenters.js';
import type { UpdatePolicy } from '../matrix/index.js';
import type { ImageOptions } from '../render/index.js';
import type { MatrixSupply, TemplateSupply } from '../supply/index.js';
import type { OperatorMetrics } from './operator-metrics.js';

/** Command line options of the operator. */
export interface OperatorOptions {
  readonly namespace: string;
  readonly updatePolicy: UpdatePolicy;
  readonly images: ImageOptions;
  /** URL of the matrix. Takes precedence over all other sources. */
  readonly matrix?: string | undefined;
  /** What happens to the drivers when their VDOConfig is deleted. */
  readonly deletionPolicy: 'Retain' | 'Delete';
  /** Whether the operator runs in the management cluster instead of in the cluster whose drivers it manages. */
  readonly isHosted?: boolean;
  /** Maintenance window in hours of the day in UTC, for automatic upgrades. */
  readonly maintenanceWindow?: { readonly fromHour: number; readonly toHour: number } | undefined;
}

export interface OperatorDependencies {
  readonly options: OperatorOptions;
  readonly vcenters: VCenters;
  readonly matrices: MatrixSupply;
  readonly templates: TemplateSupply;
  readonly metrics: OperatorMetrics;
  /** `major.minor` of the API server. */
  readonly kubernetesVersion: (signal: AbortSignal) => Promise<string>;
  readonly memory: OperatorMemory;
}

/** In-memory state. If it is lost, checks and applies are only repeated earlier. */
export interface OperatorMemory {
  /** When each connection was last checked, by its key. */
  readonly checkedMs: Map<string, number>;
  /** When the objects of each driver were last applied. */
  readonly appliedMs: Map<string, number>;
  /** The VMs of all vCenters, and when they were read. */
  machines: { readonly readMs: number; readonly key: string; readonly found: readonly MachineFacts[] } | undefined;
}

export function createMemory(): OperatorMemory {
  return { checkedMs: new Map(), appliedMs: new Map(), machines: undefined };
}
