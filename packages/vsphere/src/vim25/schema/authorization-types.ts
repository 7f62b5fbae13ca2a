/** Roles and permissions. Elements are in WSDL order. */
export const authorizationTypes = {
  AuthorizationRole: {
    fields: { roleId: 'int!', system: 'boolean!', name: 'string!', info: 'Description', privilege: 'string[]' },
  },
  AuthorizationPrivilege: {
    fields: { privId: 'string!', onParent: 'boolean!', name: 'string!', privGroupName: 'string!' },
  },
  Permission: {
    fields: {
      entity: 'ManagedObjectReference',
      principal: 'string!',
      group: 'boolean!',
      roleId: 'int!',
      propagate: 'boolean!',
    },
  },
  EntityPrivilege: { fields: { entity: 'ManagedObjectReference!', privAvailability: 'PrivilegeAvailability[]' } },
  PrivilegeAvailability: { fields: { privId: 'string!', isGranted: 'boolean!' } },
} as const;
