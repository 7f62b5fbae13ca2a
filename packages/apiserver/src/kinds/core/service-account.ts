import type { ResourceDefinition, SubresourceCreate } from '../../contract/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { ageColumn, nameColumn, printer } from '../shared/table.js';

/** `token` issues bound tokens; the subresource is not served without it. */
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
      // Nobody has filled this list for years; clients may not either.
      prepareCreate(account) {
        if (Array.isArray(account.secrets) && account.secrets.length === 0) delete account.secrets;
      },
    },
  });
}
