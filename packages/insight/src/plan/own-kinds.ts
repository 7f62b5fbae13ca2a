import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import * as kubeadm from '@slipway/kubeadm';

/** The kinds with built-in controllers. */
export const ownKinds = [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds];
/** CRD names of the kinds with built-in controllers. */
export const ownNames: ReadonlySet<string> = new Set(ownKinds.map(({ plural, group }) => `${plural}.${group}`));
