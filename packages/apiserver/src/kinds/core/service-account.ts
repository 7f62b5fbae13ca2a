import type { ResourceDefinition, SubresourceCreate } from '../../contract/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { ageColumn, nameColumn, printer } from '../shared/table.js';

/** Defines ServiceAccount. `token` issues bound tokens; without it, the token subresource is not served. */
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
      // Drop an empty `secrets` list: controllers no longer fill it.
      prepareCreate(account) {
        if (Array.isArray(account.secrets) && account.secrets.length === 0) delete account.secrets;
      },
    },
  });
}
