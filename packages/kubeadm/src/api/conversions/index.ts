import {
  at,
  conditionMoves,
  type Conversion,
  defineConversion,
  failureMoves,
  move,
  plainBoolean,
  structure,
} from '@slipway/cluster-api';
import { kubeadmConfig } from '../kubeadm-config.js';
import { kubeadmConfigTemplate } from '../kubeadm-config-template.js';
import { kubeadmControlPlane } from '../kubeadm-control-plane.js';
import { kubeadmControlPlaneTemplate } from '../kubeadm-control-plane-template.js';
import { controlPlaneSpec, controlPlaneStatus } from './control-plane.js';
import { kubeadmConfigSpec } from './kubeadm-config-spec.js';

const configStatus = structure(
  conditionMoves,
  failureMoves,
  move('ready', 'initialization.dataSecretCreated', plainBoolean),
);

/** The conversions between every old version and the storage version of this package's kinds. */
export const kubeadmConversions: readonly Conversion[] = [
  defineConversion(kubeadmConfig, 'v1beta1', structure(at('spec', kubeadmConfigSpec), at('status', configStatus))),
  defineConversion(kubeadmConfigTemplate, 'v1beta1', structure(at('spec.template.spec', kubeadmConfigSpec))),
  defineConversion(
    kubeadmControlPlane,
    'v1beta1',
    structure(at('spec', controlPlaneSpec), at('status', controlPlaneStatus)),
  ),
  defineConversion(kubeadmControlPlaneTemplate, 'v1beta1', structure(at('spec.template.spec', controlPlaneSpec))),
];
