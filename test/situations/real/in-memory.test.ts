import { checkRows } from './check-rows.js';
import { clusterRows } from './cluster-rows.js';
import { controlPlaneRows } from './control-plane-rows.js';
import { workerRows } from './worker-rows.js';

checkRows('in-memory machines', [...clusterRows, ...controlPlaneRows, ...workerRows], { gates: ['RuntimeSDK'] });
