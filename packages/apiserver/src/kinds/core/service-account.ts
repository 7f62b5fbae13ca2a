import type { ResourceDefinition, SubresourceCreate } from '../../contract/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { ageColumn, nameColumn, printer } from '../shared/table.js';

/** `token` issues bound tokens. Without it, the subresource is not served. */
export function serviceAccounts(token: SubresourceCreate | undefined): ResourceDefinition {
  return defineBuiltin({
    group: '',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    returnsDeleted: true,
    table: printer([nameColumn, ageColumn]),
    subresources:
      token === undefined
        ? []
        : [
            {
              name: 'token',
              kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
              verbs: ['create'],
              create: token,
            },
          ],
    strategy: {
      // Controllers no longer fill this list; an empty one is dropped.
      prepareCreate(account) {
        if (Array.isArray(account.secrets) && account.secrets.length === 0) delete account.secrets;
      },
    },
  });
}
