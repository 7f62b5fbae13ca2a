import type { Frozen } from '@slipway/kube';
import type { ClusterClass } from '../api/index.js';

export type ObservedClass = Frozen<ClusterClass>;
