import { Option } from 'commander';

const descriptionDefault =
  'EncryptionConfiguration with the keys that encrypt stored objects. If not set, they are not encrypted.';

/** Returns `--encryption-provider-config`, which has the name of the flag of kube-apiserver. */
export function encryptionOption(description = descriptionDefault): Option {
  return new Option('--encryption-provider-config <file>', description);
}
