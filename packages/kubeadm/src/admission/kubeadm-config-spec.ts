import type { AdmissionContext } from '@slipway/cluster-api';
import { duplicateField, type FieldError, forbiddenField, invalidField } from '@slipway/kube';
import type { Infer } from '@slipway/kube/kit';
import type { kubeadmConfigSpec } from '../api/v1beta2/kubeadm-config-spec.js';

export type KubeadmConfigSpec = Infer<typeof kubeadmConfigSpec>;

/** Validates a KubeadmConfigSpec at `path`: `spec`, or `spec.kubeadmConfigSpec`. */
export function validateKubeadmConfigSpec(
  path: string,
  spec: KubeadmConfigSpec,
  context: AdmissionContext,
): FieldError[] {
  return [
    ...validateFiles(`${path}.files`, spec.files),
    ...validateUsers(`${path}.users`, spec.users),
    ...validateDiscovery(`${path}.joinConfiguration.discovery`, spec.joinConfiguration?.discovery),
    ...validateFormat(path, spec, context),
  ];
}

function validateFiles(path: string, files: KubeadmConfigSpec['files']): FieldError[] {
  const seen = new Set<string>();
  return (files ?? []).flatMap((file, index) => {
    const errors: FieldError[] = [];
    const field = `${path}[${index}]`;
    if (file.content !== undefined && file.contentFrom !== undefined) {
      errors.push(
        invalidField(field, file.path, 'only one of content or contentFrom may be specified for a single file'),
      );
    }
    if (seen.has(file.path)) errors.push(duplicateField(`${field}.path`, file.path));
    seen.add(file.path);
    return errors;
  });
}

function validateUsers(path: string, users: KubeadmConfigSpec['users']): FieldError[] {
  return (users ?? []).flatMap((user, index) =>
    user.passwd !== undefined && user.passwdFrom !== undefined
      ? [
          invalidField(
            `${path}[${index}]`,
            user.name,
            'only one of passwd or passwdFrom may be specified for a single user',
          ),
        ]
      : [],
  );
}

type Discovery = NonNullable<KubeadmConfigSpec['joinConfiguration']>['discovery'];

function validateDiscovery(path: string, discovery: Discovery): FieldError[] {
  if (discovery?.bootstrapToken === undefined || discovery.file === undefined) return [];
  return [forbiddenField(path, 'only one of bootstrapToken or file may be specified')];
}

function validateFormat(path: string, spec: KubeadmConfigSpec, context: AdmissionContext): FieldError[] {
  if (spec.format !== 'ignition') {
    return spec.ignition === undefined
      ? []
      : [invalidField(`${path}.format`, spec.format ?? '', 'must be set to "ignition" if spec.ignition is set')];
  }
  if (!context.features.KubeadmBootstrapFormatIgnition) {
    return [
      forbiddenField(
        `${path}.format`,
        'can be set to "ignition" only if the KubeadmBootstrapFormatIgnition feature gate is enabled',
      ),
    ];
  }
  return validateIgnition(path, spec);
}

/** Rejects features of cloud-init that Ignition does not support. */
function validateIgnition(path: string, spec: KubeadmConfigSpec): FieldError[] {
  const unsupported = (field: string) =>
    forbiddenField(`${path}.${field}`, 'not supported when spec.format is "ignition"');
  return [
    ...(spec.bootCommands === undefined ? [] : [unsupported('bootCommands')]),
    ...(spec.users ?? []).flatMap((user, index) =>
      user.inactive === undefined ? [] : [unsupported(`users[${index}].inactive`)],
    ),
    ...(spec.files ?? []).flatMap((file, index) =>
      file.encoding === 'gzip' || file.encoding === 'gzip+base64' ? [unsupported(`files[${index}].encoding`)] : [],
    ),
    ...(spec.diskSetup?.partitions ?? []).flatMap((partition, index) =>
      partition.diskLayout === undefined ? [] : [unsupported(`diskSetup.partitions[${index}].diskLayout`)],
    ),
  ];
}
